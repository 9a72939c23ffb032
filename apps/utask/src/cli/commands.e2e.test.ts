import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { forBothBackends, Person, ut } from '../../test/command.ts';
import type { Task } from '../model/task.ts';

forBothBackends('ut', (newPerson) => {
  it('adds, lists, finishes and removes with the lines of the design document', () => {
    const person = newPerson();
    const added = person.ut('add', 'Buy milk', '-t', 'errand', '-t', 'Shopping');
    expect(added).toMatchObject({ code: 0, stderr: '' });
    expect(added.stdout).toMatch(/^[0-9a-f]{12}  Buy milk  \[errand,shopping\]\n$/);
    const short = added.stdout.slice(0, 8);
    const [{ id }] = person.data<[Task]>('ls');
    expect(person.ut('ls').stdout).toBe(added.stdout);
    expect(person.ut('done', short).stdout).toBe(`OK (matched id ${id.slice(0, 14)}...${id.slice(-4)})\n`);
    expect(person.ut('ls').stdout, 'only open tasks').toBe('');
    expect(person.ut('ls', '--all').stdout).toBe(`${added.stdout.trimEnd()}  done\n`);
    expect(person.ut('rm', short).stdout).toBe(`Deleted (matched id ${id.slice(0, 14)}...${id.slice(-4)})\n`);
    expect(person.ut('ls')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('answers with the JSON of the design document', () => {
    const person = newPerson();
    const task = person.add('Buy milk', 'errand');
    expect(Object.keys(task)).toEqual(['id', 'text', 'done', 'tags', 'created']);
    expect(task.id).toMatch(/^[0-9a-f]{128}$/);
    expect(person.data('ls')).toEqual([task]);
    expect(person.data('show', task.id.slice(0, 8))).toEqual({ ...task, revision: expect.any(Number) });
    expect(person.data('done', task.id)).toEqual([{ ...task, done: true, completed: expect.any(String) }]);
    expect(person.data('check')).toEqual({ tasks: 1, tags: 1, missing: [], stale: [] });
  });

  it('filters by any and all tags and by state, in the order of creation', () => {
    const person = newPerson();
    const first = person.data<Task>('add', 'Ship', 'patch', '-t', 'work', '-t', 'urgent');
    const second = person.add('Pager duty', 'ops', 'urgent');
    const third = person.add('Rest', '日本語', 'two words', 'a.b', '*', '>', '🦑');
    const ids = (...args: string[]): readonly string[] => person.data<Task[]>('ls', ...args).map(({ id }) => id);
    expect(first.text, 'words need no quotes').toBe('Ship patch');
    expect(ids('--all', 'urgent,work')).toEqual([first.id]);
    expect(ids('PATCH', 'ship')).toEqual([first.id]);
    expect(ids('--any', 'work,ops')).toEqual([first.id, second.id]);
    expect(ids('--any', 'work', '--any', '日本語')).toEqual([first.id, third.id]);
    for (const tag of third.tags) expect(ids('--all', tag), tag).toEqual([third.id]);
    person.ut('done', second.id);
    expect(ids('--open')).toEqual([first.id, third.id]);
    expect(ids('--done')).toEqual([second.id]);
    expect(ids('--limit', '1')).toEqual([first.id]);
    expect(ids('--all', '--order', 'newest')).toEqual([third.id, second.id, first.id]);
    expect(ids('--order', 'text', '--all')).toEqual([second.id, third.id, first.id]);
    expect(ids()).toEqual([first.id, third.id]);
    expect(ids('--all', 'urgent')).toEqual([first.id]);
    expect(ids('--all', 'urgent', '--all')).toEqual([first.id, second.id]);
    expect(person.data<{ tags: unknown[] }>('tags').tags).toContainEqual({ tag: 'urgent', open: 1, done: 1 });
    expect(person.ut('__complete', 'bash', 'ut ls --any work,ur').stdout).toBe('work,urgent\t1 open, 1 done\n');
  });

  it('has due dates and priorities, to show, filter and sort by', () => {
    const person = newPerson();
    const rent = person.data<Task>('add', 'Pay rent', '--due', '2030-01-04', '--priority', 'h');
    expect(rent, 'a number, as the original program writes it').toMatchObject({ due: '2030-01-04', priority: 1 });
    const later = person.data<Task>('add', 'Tax', '--due', '2030-02-01', '--priority', 'l');
    const plain = person.add('Plain');
    const ids = (...args: string[]): readonly string[] => person.data<Task[]>('ls', ...args).map(({ id }) => id);
    expect(person.ut('ls', 'rent').stdout).toMatch(/ {2}Pay rent {2}due 2030-01-04 {2}priority h\n$/);
    expect(person.ut('show', rent.id).stdout).toMatch(/due +2030-01-04\npriority +h\n/);
    expect(ids('--due-by', '2030-01-04')).toEqual([rent.id]);
    expect(ids('--priority', 'm')).toEqual([rent.id]);
    person.ut('edit', plain.id, '--due', '2029-01-01', '--priority', 'm');
    expect(ids('--order', 'due')).toEqual([plain.id, rent.id, later.id]);
    expect(ids('--order', 'priority')).toEqual([rent.id, plain.id, later.id]);
    person.ut('edit', rent.id, '--due', 'none', '--priority', 'none');
    expect(Object.keys(person.data<Task>('show', rent.id))).not.toContain('due');
    expect(ids('--order', 'due'), 'without one comes last').toEqual([plain.id, later.id, rent.id]);
    expect(person.ut('add', 'x', '--due', 'someday')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('BAD_DUE'),
    });
    const lines = person.run(['add', '--due', '2031-01-01', '--priority', 'l', '--json'], 'one\ntwo\n').stdout;
    expect(JSON.parse(lines)).toMatchObject({ data: [{ due: '2031-01-01', priority: 3 }, { due: '2031-01-01' }] });
  });

  it('is edited in the editor of the user', () => {
    const plain = newPerson();
    const person = new Person({ ...plain.env, VISUAL: '', EDITOR: 'printf "Long text\\nsecond line\\n" >' });
    const { id } = person.data<Task>('add', '-e', '--tag', 'a');
    expect(person.data('show', id)).toMatchObject({ text: 'Long text\nsecond line', tags: ['a'] });
    const shouting = new Person({ ...plain.env, EDITOR: 'sed -i s/Long/LONG/' });
    expect(shouting.ut('edit', id.slice(0, 8), '-e', '--tag', 'b').code).toBe(0);
    expect(person.data('show', id)).toMatchObject({ text: 'LONG text\nsecond line', tags: ['a', 'b'] });
    const failing = new Person({ ...plain.env, EDITOR: 'false' });
    expect(failing.ut('edit', id, '-e')).toMatchObject({ code: 1, stderr: expect.stringContaining('EDITOR_FAILED') });
    const emptying = new Person({ ...plain.env, EDITOR: 'true' });
    expect(emptying.ut('add', '-e')).toMatchObject({ code: 2, stderr: expect.stringContaining('BAD_TEXT') });
  });

  it('does not overwrite a concurrent change with --if-revision, or while the editor is open', () => {
    const person = newPerson();
    const { id } = person.add('one', 'a');
    const { revision } = person.data<{ revision: number }>('show', id);
    person.ut('edit', id, '--text', 'theirs');
    const refused = person.ut('edit', id, '--text', 'mine', '--if-revision', String(revision));
    expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining('TASK_CHANGED') });
    const now = person.data<{ revision: number }>('show', id);
    expect(now).toMatchObject({ text: 'theirs' });
    expect(person.ut('edit', id, '--untag', 'a', '--if-revision', String(now.revision)).code).toBe(0);
    const script = `${ut} edit ${id} --text meanwhile; echo mine >`;
    const slow = new Person({ ...person.env, EDITOR: script });
    const lost = slow.ut('edit', id, '-e');
    expect(lost).toMatchObject({ code: 4, stderr: expect.stringContaining('TASK_CHANGED') });
    const [, kept = ''] = /Your text is kept in (\S+)\./.exec(lost.stderr) ?? [];
    expect(readFileSync(kept, 'utf8')).toBe('mine\n');
    rmSync(dirname(kept), { recursive: true });
    expect(person.data('show', id)).toMatchObject({ text: 'meanwhile' });
  });

  it('refuses text that nobody can read, and shows control characters instead of obeying them', () => {
    const person = newPerson();
    for (const blank of ['\u200b', '\u2060 \ufeff']) {
      expect(person.ut('add', blank), JSON.stringify(blank)).toMatchObject({ code: 2 });
    }
    const latin1 = spawnSync('/bin/sh', ['-c', `${ut} add "$(printf 'caf\\351')" --json`], {
      env: { ...process.env, ...person.env },
      encoding: 'utf8',
    });
    expect(latin1).toMatchObject({ status: 2, stderr: expect.stringContaining('INPUT_NOT_TEXT') });
    person.add('typed \ufffd is text');
    person.add('red \u001b[31m and \u202e reversed');
    expect(person.ut('ls', 'red').stdout).toContain(String.raw`red \x1b[31m and \u202e reversed`);
    expect(person.ut('ls', 'red', '--raw').stdout).toContain('red \u001b[31m and \u202e reversed');
    expect(person.data('ls', 'red')).toMatchObject([{ text: 'red \u001b[31m and \u202e reversed' }]);
    expect(person.data('ls', 'typed')).toHaveLength(1);
  });

  it('edits text and tags', () => {
    const person = newPerson();
    const { id } = person.add('one', 'a', 'b');
    expect(person.ut('edit', id.slice(0, 10), '--text', 'two', '--tag', 'c', '--untag', 'a').stdout).toMatch(
      /^OK \(matched/,
    );
    expect(person.data('show', id)).toMatchObject({ text: 'two', tags: ['b', 'c'] });
    expect(person.ut('edit', id).code).toBe(2);
    expect(person.data('check')).toMatchObject({ missing: [], stale: [] });
  });

  it('adds one task for each line of standard input', () => {
    const person = newPerson();
    const { code, stdout } = person.run(['add', '-t', 'later', '--json'], 'one\n\ntwo\n');
    expect(code).toBe(0);
    expect((JSON.parse(stdout) as { data: Task[] }).data.map(({ text, tags }) => [text, tags])).toEqual([
      ['one', ['later']],
      ['two', ['later']],
    ]);
    const cutOff = person.run(['add', '--json'], `three\n${'x'.repeat(70_000)}\nfour\n`);
    expect(cutOff).toMatchObject({ code: 2, stderr: expect.stringContaining('BAD_TEXT') });
    expect(JSON.parse(cutOff.stdout), 'what was added is told').toMatchObject({ data: [{ text: 'three' }] });
    expect(person.data('ls')).toHaveLength(3);
    person.ut('undo');
    expect(person.data('ls')).toHaveLength(2);
  });

  it('says what is wrong, with an exit code for it', () => {
    const person = newPerson();
    const task = person.add('one');
    expect(person.ut('show', 'ffff0000')).toMatchObject({ code: 3, stderr: expect.stringContaining('TASK_NOT_FOUND') });
    expect(person.ut('done', task.id.slice(0, 3))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('PREFIX_TOO_SHORT'),
    });
    expect(person.ut('done', 'nothex!!')).toMatchObject({ code: 2 });
    expect(person.ut('add', '  ')).toMatchObject({ code: 2, stderr: expect.stringContaining('BAD_TEXT') });
    expect(person.ut('rm')).toMatchObject({ code: 2 });
    expect(person.ut('undo', '--to', '1')).toMatchObject({ code: 2 });
    const start = task.id.startsWith('abcd') ? 'dcba' : 'abcd';
    const twins = ['1', '2'].map((end) => ({ ...task, id: `${start}${end}`.padEnd(128, '0') }));
    expect(person.run(['import', '-'], JSON.stringify(twins)).code).toBe(0);
    const ambiguous = person.ut('rm', start, '--json');
    expect(ambiguous.code).toBe(4);
    expect(JSON.parse(ambiguous.stderr)).toMatchObject({
      error: { code: 'ID_AMBIGUOUS', details: { candidates: twins.map(({ id }) => id) } },
    });
    const both = person.ut('done', task.id, 'ffff0000');
    expect(both.code).toBe(3);
    expect(person.data('show', task.id), 'nothing is changed when one id is wrong').toMatchObject({ done: false });
  });

  it('understands the verbs of upstream', () => {
    const person = newPerson();
    const { id } = person.data<Task>('create', '--title', 'up', '--tag', 'a');
    expect(person.data('list', '--status', 'open')).toHaveLength(1);
    expect(person.data('get', id)).toMatchObject({ text: 'up' });
    expect(person.data('close', id)).toMatchObject([{ done: true }]);
    expect(person.data('reopen', id)).toMatchObject([{ done: false }]);
    expect(person.data('update', id, '--title', 'down', '--tags', 'b,c')).toMatchObject({
      text: 'down',
      tags: ['b', 'c'],
    });
    expect(person.data('delete', id)).toMatchObject([{ id }]);
  });

  it('keeps what was, and takes changes back', () => {
    const person = newPerson();
    const { id } = person.add('one', 'a');
    person.ut('edit', id, '--text', 'two', '--tag', 'b');
    person.ut('done', id);
    expect(person.data<{ task: Task }[]>('log', id).map(({ task }) => [task.text, task.done])).toEqual([
      ['one', false],
      ['two', false],
      ['two', true],
    ]);
    person.ut('undo');
    expect(person.data('show', id)).toMatchObject({ text: 'two', done: false, tags: ['a', 'b'] });
    person.ut('rm', id);
    expect(person.ut('show', id).code).toBe(3);
    expect(person.ut('undo').code).toBe(0);
    expect(person.data('ls', '--all', 'a,b'), 'with its tags').toMatchObject([{ id }]);
    const [{ revision }] = person.data<[{ revision: number }]>('log', id);
    person.ut('undo', id.slice(0, 8), '--to', String(revision));
    expect(person.data('show', id)).toMatchObject({ text: 'one', tags: ['a'] });
    const another = person.add('wrong');
    person.ut('edit', id, '--text', 'three');
    person.ut('reopen', another.id);
    person.ut('undo');
    expect(person.data('show', another.id), 'nothing was changed in it').toMatchObject(another);
    expect(person.data('show', id)).toMatchObject({ text: 'one' });
    person.ut('undo', another.id);
    expect(person.ut('show', another.id).code).toBe(3);
    expect(person.data('check')).toMatchObject({ missing: [], stale: [] });
    expect(person.data('gc', '--older-than', '0')).toEqual({ tasks: 1, tags: 1 });
    expect(person.ut('log', another.id.slice(0, 12)).code).toBe(3);
  });

  it('undoes and redoes every command step by step, imports included', () => {
    const person = newPerson();
    const first = person.add('first');
    person.run(['import', '-'], '(A) 2011-03-02 Call Mom +Family\nx 2011-03-03 2011-03-01 Pay rent\n');
    person.ut('done', first.id);
    const texts = (): readonly string[] =>
      person.data<Task[]>('ls', '--all', '--order', 'text').map(({ text }) => text);
    const all = ['Call Mom +Family', 'first', 'Pay rent'];
    expect(person.data('undo', '--dry-run')).toMatchObject([{ id: first.id, task: { done: false } }]);
    expect(person.ut('undo', '--dry-run').stdout).toMatch(/^Nothing was changed\./);
    expect(person.data('show', first.id), 'a dry run changes nothing').toMatchObject({ done: true });
    person.ut('undo');
    expect(person.data('show', first.id)).toMatchObject({ done: false });
    expect(texts()).toEqual(all);
    person.ut('undo');
    expect(texts(), 'the import is one step').toEqual(['first']);
    person.ut('undo');
    expect(texts()).toEqual([]);
    expect(person.ut('undo')).toMatchObject({ code: 3, stderr: expect.stringContaining('nothing to undo') });
    person.ut('redo');
    person.ut('redo');
    expect(texts()).toEqual(all);
    person.add('something new');
    expect(person.ut('redo'), 'a new change ends what could be redone').toMatchObject({ code: 3 });
    expect(person.data('check')).toMatchObject({ missing: [], stale: [] });
  });

  it('completes an undo and a redo that were interrupted', () => {
    const person = newPerson();
    person.run(['import', '-'], '(A) 2011-03-02 Call Mom +Family\n(B) 2011-03-01 Pay rent\n');
    const journal = join(person.home, 'utask-undo.json');
    const texts = () => person.data<Task[]>('ls', '--order', 'text').map(({ text }) => text);
    const before = readFileSync(journal);
    person.ut('undo');
    // Simulates a kill after the undo changed the tasks but before it was recorded.
    writeFileSync(journal, before);
    expect(person.ut('undo')).toMatchObject({ code: 0 });
    const undone = readFileSync(journal);
    expect(person.ut('redo')).toMatchObject({ code: 0 });
    writeFileSync(journal, undone);
    expect(person.ut('redo')).toMatchObject({ code: 0 });
    expect(texts()).toEqual(['Call Mom +Family', 'Pay rent']);
  });

  it('imports only what it recognises', () => {
    const person = newPerson();
    const passwd = 'root:x:0:0:root:/root:/bin/bash\ndaemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin\n';
    expect(person.run(['import', '-'], passwd)).toMatchObject({ code: 2, stderr: expect.stringContaining('--format') });
    for (const format of [[], ['--format', 'todotxt']]) {
      expect(person.run(['import', '-', ...format], '\u0000\u0001binary +tag')).toMatchObject({ code: 2 });
    }
    const todo = Array.from({ length: 12 }, (_, n) => `(A) Task ${n} @home`).join('\n');
    const preview = person.run(['import', '-', '--dry-run'], todo);
    expect(preview.stdout).toMatch(/^12 tasks as todotxt: 12 open, 0 done\n(?:.*\n){10}… and 2 more\n$/);
    expect(person.data('ls')).toEqual([]);
    expect(person.run(['import', '-', '--format', 'todotxt'], 'Just a line\n').stdout).toMatch(/^1 added/);
    const coloured = '(A) A \u001b[31mred\u001b[0m word';
    expect(person.run(['import', '-'], `${coloured}\n`).stdout, 'control characters').toMatch(/^1 added/);
    expect(person.run(['export', '--format', 'todotxt']).stdout).toContain(coloured);
  });

  it('does not take back what somebody else changed since', () => {
    const person = newPerson();
    const { id } = person.add('shared');
    person.ut('done', id);
    const state = person.run(['export']);
    const somebody = new Person({ ...person.env, HOLDFAST_HOME: join(person.home, 'other') });
    const theirs = state.stdout.replace('"shared"', '"theirs"');
    if (somebody.env['UTASK_NATS_URL'] === undefined) {
      // Without a server, both users share one database through a symbolic link.
      mkdirSync(somebody.home, { mode: 0o700 });
      symlinkSync(join(person.home, 'utask.db'), join(somebody.home, 'utask.db'));
    }
    expect(somebody.run(['import', '-', '--overwrite'], theirs)).toMatchObject({ code: 0 });
    expect(person.ut('undo')).toMatchObject({ code: 3, stderr: expect.stringContaining('Another client has changed') });
    rmSync(join(person.home, 'utask-undo.json'));
    mkdirSync(join(person.home, 'utask-undo.json'));
    expect(person.ut('add', 'stored all the same')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('could not be recorded'),
    });
  });

  it('repairs the index, and copies of the list come back the same', () => {
    const person = newPerson();
    person.add('one', 'a');
    person.add('two', 'b');
    const before = person.ut('export').stdout;
    expect(person.data('rebuild-index')).toEqual({ tasks: 2, tags: 2, added: 0, removed: 0 });
    const twin = newPerson();
    expect(JSON.parse(twin.run(['import', '-', '--json'], before).stdout)).toMatchObject({
      data: { added: 2, unchanged: 0 },
    });
    expect(JSON.parse(twin.run(['import', '-', '--json'], before).stdout)).toMatchObject({
      data: { added: 0, unchanged: 2 },
    });
    expect(twin.ut('export').stdout).toBe(before);
    expect(twin.ut('import', '/nonexistent')).toMatchObject({ code: 2, stderr: expect.stringContaining('BAD_IMPORT') });
    expect(twin.run(['import', '-', '--format', 'json'], '{"x":1}').code).toBe(2);
  });

  it('shows changes of others as they happen', async () => {
    const person = newPerson();
    const known = person.add('before');
    const watching = person.start(['watch', '--json']);
    const lines = createInterface({ input: watching.stdout })[Symbol.asyncIterator]();
    const next = async (): Promise<unknown> =>
      (JSON.parse(((await lines.next()).value as string) ?? '') as { data: unknown }).data;
    // Makes changes until the watcher reports one, which shows that it has started.
    const state = { isWatching: false };
    const first = next().finally(() => {
      state.isWatching = true;
    });
    for (let n = 0; !state.isWatching; n++) {
      person.ut(n % 2 === 0 ? 'done' : 'reopen', known.id);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(await first).toMatchObject({ change: 'changed', id: known.id });
    const { id } = person.add('live');
    for (;;) {
      const seen = (await next()) as { change: string; id: string };
      if (seen.change === 'changed') continue;
      expect(seen).toMatchObject({ change: 'added', id });
      break;
    }
    person.ut('rm', id);
    expect(await next()).toMatchObject({ change: 'deleted', id, task: null });
    watching.kill('SIGTERM');
    await once(watching, 'close');
  });

  it('gives an agent tools over standard input and output', () => {
    const person = newPerson();
    const known = person.add('known');
    const call = (id: number, name: string, given: unknown) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name, arguments: given },
    });
    const messages = [
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
      },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 2, method: 'tools/list' },
      call(3, 'add_task', { text: 'by an agent', tags: ['AI'] }),
      call(4, 'list_tasks', { all: ['ai'] }),
      call(5, 'update_task', { id: 'ffff0000', done: true }),
      call(6, 'nonsense', {}),
      { jsonrpc: '2.0', id: 7, method: 'nonsense' },
      call(8, 'add_task', { text: 1 }),
      call(9, 'show_task', { id: known.id }),
      call(10, 'update_task', { id: known.id, text: 'changed', priority: 1, if_revision: 999_999_999 }),
    ];
    const { stdout, code } = person.run(
      ['mcp'],
      `${messages.map((message) => JSON.stringify(message)).join('\n')}\nnot json\n`,
    );
    expect(code).toBe(0);
    const answers = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, never>)
      .toSorted((left, right) => Number(left['id']) - Number(right['id']));
    expect(
      answers.map(({ id }) => id),
      'notifications and invalid lines get no answer',
    ).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(answers[0]).toMatchObject({ result: { protocolVersion: '2025-03-26', serverInfo: { name: 'utask' } } });
    expect(JSON.stringify(answers[1])).toContain('"inputSchema":{');
    expect(JSON.stringify(answers[3])).toContain('by an agent');
    expect(answers[4]).toMatchObject({ result: { isError: true } });
    expect(answers[5]).toMatchObject({ error: { code: -32_602 } });
    expect(answers[6]).toMatchObject({ error: { code: -32_601 } });
    expect(answers[7]).toMatchObject({ result: { isError: true } });
    expect(JSON.stringify(answers[7])).toContain('INPUT_INVALID: text: ');
    expect(JSON.stringify(answers[8])).toMatch(/revision\\*":\d+/);
    expect(JSON.stringify(answers[9])).toContain('TASK_CHANGED');
    expect(person.data('ls')).toMatchObject([{ text: 'known' }, { text: 'by an agent' }]);
  });
});
