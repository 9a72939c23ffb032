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

/** Ignores what Taskwarrior recomputes on every import. */
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
    expect(person.run(['import', '-'], original).stdout).toMatch(/^\d+ added, 0 there already/);
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
    const count = person.data<Task[]>('ls').length;
    expect(person.run(['import', '-'], original).stdout).toMatch(new RegExp(`^0 added, ${count} there already`));
    const reworded = original.replace('"Finished"', '"Finished at last"');
    expect(person.run(['import', '-', '--overwrite'], reworded).stdout, 'by its uuid').toMatch(
      /^0 added.* 1 overwritten/,
    );
    expect(person.data('ls', '--done', '--order', 'text')).toMatchObject([
      { text: 'Finished at last' },
      { text: 'Thrown away' },
    ]);
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

  it('gives our own tasks back as they were', () => {
    const person = new Person();
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
      /^0 added, 15 there already, 0 overwritten, 0 skipped/,
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
