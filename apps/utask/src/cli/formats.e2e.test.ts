import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Person, temporaryFolder } from '../../test/command.ts';
import type { Task } from '../model/task.ts';

interface Item {
  readonly uuid: string;
  readonly [field: string]: unknown;
}

/** The real `task` program with its own database. */
class Taskwarrior {
  readonly #env: Readonly<Record<string, string | undefined>>;

  constructor() {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'data'));
    const settings = [
      'confirmation=off',
      'verbose=nothing',
      'recurrence.confirmation=no',
      `data.location=${folder}/data`,
    ];
    writeFileSync(join(folder, 'taskrc'), `${settings.join('\n')}\n`);
    this.#env = { ...process.env, TASKRC: join(folder, 'taskrc'), TASKDATA: join(folder, 'data'), HOME: folder };
  }

  run(args: readonly string[], input = ''): string {
    const { status, stdout, stderr } = spawnSync('task', args, { env: this.#env, encoding: 'utf8', input });
    if (status !== 0) throw new Error(`task ${args.join(' ')} ended with ${status}: ${stderr}`);
    return stdout;
  }

  exported(): readonly Item[] {
    return JSON.parse(this.run(['export'])) as Item[];
  }
}

/** Removes fields that Taskwarrior computes again on every import. */
function essential(items: readonly Item[]): readonly unknown[] {
  return items
    .map(({ id: _, urgency: __, modified: ___, ...item }) => item)
    .sort((left, right) => (left.uuid < right.uuid ? -1 : 1));
}

describe('Taskwarrior', () => {
  const filled = (): Taskwarrior => {
    const task = new Taskwarrior();
    task.run(['add', 'Buy milk', '+errand', '+Shopping', 'project:home', 'priority:H', 'due:2030-01-02']);
    task.run(['add', 'Write "quoted" text, with commas & ünïcode 日本語 🦑']);
    task.run(['add', 'Has notes', 'wait:2031-01-01', 'scheduled:2030-06-01']);
    task.run(['3', 'annotate', 'first note']);
    task.run(['add', 'Depends on milk', 'depends:1']);
    task.run(['add', 'Weekly', 'due:2030-01-01', 'recur:weekly', '+chore']);
    task.run(['add', 'Finished', '+errand']);
    task.run(['add', 'Thrown away']);
    const uuidOf = (text: string): string => task.exported().find((item) => item['description'] === text)?.uuid ?? '';
    task.run([uuidOf('Finished'), 'done']);
    task.run([uuidOf('Thrown away'), 'delete']);
    return task;
  };

  it('gets back exactly what was imported from it, and the real program agrees', () => {
    const task = filled();
    const original = task.run(['export']);
    const person = new Person();
    const preview = person.run(['import', '-', '--dry-run'], original).stdout;
    expect(preview, 'a deleted task is not done').toMatch(/^\d+ tasks as taskwarrior: \d+ open, 1 done.* 1 deleted/);
    expect(person.run(['import', '-'], original).stdout).toMatch(/^\d+ added, 0 unchanged/);
    const back = person.ut('export', '--format', 'taskwarrior').stdout;
    const byUuid = (items: readonly Item[]) => new Map(items.map((item) => [item.uuid, item]));
    expect(byUuid(JSON.parse(back) as Item[])).toEqual(byUuid(JSON.parse(original) as Item[]));
    const other = new Taskwarrior();
    other.run(['import', '-'], back);
    expect(essential(other.exported())).toEqual(essential(task.exported()));
  });

  it('is imported once, however often', () => {
    const original = filled().run(['export']);
    const person = new Person();
    person.run(['import', '-'], original);
    const count = person.data<Task[]>('ls', '--all').length;
    expect(person.run(['import', '-'], original).stdout).toMatch(new RegExp(`^0 added, ${count} unchanged`));
    const reworded = original.replace('"Finished"', '"Finished at last"');
    expect(person.run(['import', '-', '--overwrite'], reworded).stdout, 'by its uuid').toMatch(
      /^0 added.* 1 overwritten/,
    );
    expect(person.data('ls', '--done')).toMatchObject([{ text: 'Finished at last' }]);
    expect(person.data('ls', '--all', 'errand,shopping')).toMatchObject([{ text: 'Buy milk' }]);
    const file = join(temporaryFolder(), 'own.json');
    writeFileSync(file, `\ufeff${person.ut('export').stdout}`);
    expect(person.data('import', file), 'our own file of them').toMatchObject({ format: 'json', unchanged: count });
    writeFileSync(file, Buffer.from('caf\u00e9', 'latin1'));
    expect(person.ut('import', file)).toMatchObject({ code: 2, stderr: expect.stringContaining('UTF-8') });
  });

  it('sees what was changed here, and keeps what it knows besides', () => {
    const task = filled();
    const person = new Person();
    person.run(['import', '-'], task.run(['export']));
    const [milk] = person.data<[Task]>('ls', '--any', 'shopping');
    person.ut('edit', milk.id, '--text', 'Buy oat milk', '--untag', 'shopping');
    person.ut('done', milk.id);
    task.run(['import', '-'], person.ut('export', '--format', 'taskwarrior').stdout);
    expect(task.exported().find((item) => item['description'] === 'Buy oat milk')).toMatchObject({
      status: 'completed',
      project: 'home',
      priority: 'H',
      tags: ['errand'],
    });
  });

  it('keeps its states: what waits, repeats or was deleted is neither open nor done here', () => {
    const task = filled();
    const person = new Person();
    person.run(['import', '-'], task.run(['export']));
    const texts = (...args: string[]) => person.data<Task[]>('ls', ...args).map(({ text }) => text);
    expect(texts('--open')).toEqual(expect.arrayContaining(['Buy milk', 'Depends on milk']));
    for (const text of ['Has notes', 'Thrown away']) expect(texts('--open'), text).not.toContain(text);
    expect(texts('--done')).toEqual(['Finished']);
    const { stdout } = person.ut('ls', '--all');
    expect(stdout).toMatch(/Has notes {2}1 note {2}waiting\n/);
    expect(stdout).toMatch(/Thrown away {2}deleted\n/);
    const [, template = ''] = /^(\w+) {2}Weekly {2}\[chore\] {2}due 2030-01-01 {2}recurring$/m.exec(stdout) ?? [];
    expect(person.ut('done', template).code).toBe(0);
    const back = JSON.parse(person.ut('export', '--format', 'taskwarrior').stdout) as Item[];
    const weekly = back.filter(({ description }) => description === 'Weekly').map(({ status }) => status);
    expect(weekly, 'the template and its first task').toEqual(expect.arrayContaining(['pending', 'recurring']));
  });

  it('is told when a task was completed here, not when it was created', () => {
    const task = new Taskwarrior();
    task.run(
      ['import', '-'],
      '[{"uuid":"00000000-0000-4000-8000-000000000001","description":"Old","entry":"20200101T000000Z","status":"pending"}]',
    );
    const person = new Person();
    person.run(['import', '-'], task.run(['export']));
    const [{ id }] = person.data<[Task]>('ls');
    person.ut('done', id);
    const { completed } = person.data<Task>('show', id);
    const [item] = JSON.parse(person.ut('export', '--format', 'taskwarrior').stdout) as [Item];
    expect(item).toMatchObject({ status: 'completed', end: completed!.replaceAll(/[-:]|\.\d+/g, '') });
    expect(item['end']).not.toBe(item['entry']);
    task.run(['import', '-'], JSON.stringify([item]));
    person.ut('reopen', id);
    expect(person.data('show', id)).not.toHaveProperty('completed');
    person.run(['import', '-', '--overwrite'], task.run(['export']));
    expect(person.data('show', id)).toMatchObject({ done: true, completed });
  });

  it('shows due date, priority, project and notes, and is told what changed', () => {
    const task = filled();
    const person = new Person();
    person.run(['import', '-'], task.run(['export']));
    expect(person.ut('ls', 'milk', '--any', 'shopping').stdout).toMatch(
      /Buy milk {2}\[\w+,\w+\] {2}due 2030-01-02 {2}priority h {2}project home\n$/,
    );
    const [milk] = person.data<[Task]>('ls', '--any', 'shopping');
    expect(person.ut('show', milk.id).stdout).toMatch(/due +2030-01-02\npriority +h\nproject +home\n/);
    const [noted] = person.data<[Task]>('ls', 'notes', '--all');
    expect(person.ut('show', noted.id).stdout).toMatch(/note +first note\n/);
    person.ut('edit', milk.id, '--due', '2030-03-04', '--priority', 'l');
    person.ut('edit', noted.id, '--priority', 'm');
    task.run(['import', '-'], person.ut('export', '--format', 'taskwarrior').stdout);
    const found = task.exported().find(({ description }) => description === 'Buy milk');
    expect(found).toMatchObject({ priority: 'L', project: 'home' });
    expect(task.run(['due:2030-03-04', 'count']).trim()).toBe('1');
    person.ut('edit', milk.id, '--due', 'none', '--priority', 'none');
    const back = JSON.parse(person.ut('export', '--format', 'taskwarrior').stdout) as Item[];
    expect(Object.keys(back.find(({ description }) => description === 'Buy milk') ?? {})).not.toContain('priority');
  });

  it('gives our own tasks back as they were', () => {
    const person = new Person();
    person.ut('add', 'Due', '--due', '2030-01-02', '--priority', 'm');
    person.ut('add', 'At three', '--due', '2030-01-02T15:00:00Z');
    person.add('Plain');
    person.add('Tagged "so" \\ and so', 'two words', 'a.b', '日本語');
    person.ut('done', person.add('Finished', 'x').id);
    const before = person.ut('export').stdout;
    const task = new Taskwarrior();
    task.run(['import', '-'], person.ut('export', '--format', 'taskwarrior').stdout);
    const twin = new Person();
    twin.run(['import', '-'], task.run(['export']));
    expect(JSON.parse(twin.ut('export').stdout)).toEqual(JSON.parse(before));
  });
});

describe('todo.txt', () => {
  const corpus = [
    '(A) Thank Mom for the meatballs @phone',
    '(B) Schedule Goodwill pickup +GarageSale @phone',
    'Post signs around the neighborhood +GarageSale',
    '@GroceryStore Eskimo pies',
    '(A) 2011-03-02 Call Mom +Family due:2030-01-01',
    'x 2011-03-03 2011-03-01 Review Tim’s pull request +TodoTxtTouch @github',
    'x 2011-03-03 Call Mom pri:A',
    'xylophone lesson',
    'X not done: the mark is a small letter',
    '(b) Get back to the boss',
    '(B)->Submit TPS report',
    'Email SoAndSo at soandso@example.com',
    'Learn how to add 2+2',
    'Post signs around the neighborhood +GarageSale',
    '日本語 +プロジェクト @家 🦑',
  ];

  it('comes back letter by letter', () => {
    const person = new Person();
    const text = `${corpus.join('\n')}\n`;
    expect(person.run(['import', '-'], text).stdout).toMatch(/^15 added/);
    expect(person.run(['import', '-'], text).stdout, 'and is not added twice').toMatch(
      /^0 added, 15 unchanged, 0 overwritten, 0 skipped/,
    );
    const { stdout } = person.ut('export', '--format', 'todotxt');
    expect(stdout.trimEnd().split('\n').sort()).toEqual([...corpus].sort());
  });

  it('makes projects and contexts tags, and knows what is done', () => {
    const person = new Person();
    person.run(['import', '-'], corpus.join('\n'));
    expect(person.data('ls', '--all', 'garagesale,phone')).toMatchObject([
      { text: expect.stringContaining('Goodwill') },
    ]);
    expect(person.data('ls', '--done')).toHaveLength(2);
    expect(person.data('ls', '--any', '家')).toHaveLength(1);
  });

  it('keeps the dates of a task that is completed or reopened here', () => {
    const person = new Person();
    person.run(['import', '-'], '(A) 2011-03-02 Call Mom\nx 2011-03-05 2011-03-01 Reply to Tim\n');
    const [tim, mom] = person.data<[Task, Task]>('ls', '--all');
    expect(tim).toMatchObject({ created: '2011-03-01T00:00:00Z', completed: '2011-03-05T00:00:00Z' });
    person.ut('done', mom.id);
    person.ut('reopen', tim.id);
    const today = person.data<Task>('show', mom.id).completed!.slice(0, 10);
    expect(person.ut('export', '--format', 'todotxt').stdout.split('\n').sort()).toEqual(
      ['', '2011-03-01 Reply to Tim', `x (A) ${today} 2011-03-02 Call Mom`].sort(),
    );
  });

  it('has its priorities and due dates shown and changed', () => {
    const person = new Person();
    person.run(['import', '-'], '(D) 2011-03-02 Call Mom due:2030-01-01\n2011-03-03 Plain\n');
    const [mom, plain] = person.data<[Task, Task]>('ls');
    expect([mom, plain].map(({ due, priority }) => [due, priority])).toEqual([
      ['2030-01-01', 4],
      [undefined, undefined],
    ]);
    person.ut('edit', mom.id, '--due', '2030-02-02', '--priority', 'h');
    person.ut('edit', plain.id, '--due', '2030-03-03', '--priority', 'm');
    expect(person.ut('export', '--format', 'todotxt').stdout).toBe(
      '(A) 2011-03-02 Call Mom due:2030-02-02\n(B) 2011-03-03 Plain due:2030-03-03\n',
    );
    person.ut('edit', mom.id, '--due', 'none', '--priority', 'none');
    expect(person.ut('export', '--format', 'todotxt').stdout).toMatch(/^2011-03-02 Call Mom\n/);
  });

  it('shows what was changed here, and says what it cannot take', () => {
    const person = new Person();
    person.run(['import', '-'], '(A) 2011-03-02 Call Mom +Family\n');
    const [{ id }] = person.data<[Task]>('ls');
    person.ut('edit', id, '--tag', 'two words');
    person.add('Ours', 'home');
    const { stdout, stderr } = person.ut('export', '--format', 'todotxt');
    expect(stdout).toMatch(/^\(A\) 2011-03-02 Call Mom \+Family \+two_words\n\d{4}-\d\d-\d\d Ours \+home\n$/);
    expect(stderr).toMatch(/1 × the id and the time of day are not kept\n1 × spaces in tags become _/);
  });
});
