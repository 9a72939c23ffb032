import { once } from 'node:events';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { forBothBackends, Person } from '../../test/command.ts';
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
    expect(person.ut('ls').stdout).toBe(`${added.stdout.trimEnd()}  done\n`);
    expect(person.ut('rm', short).stdout).toBe(`Deleted (matched id ${id.slice(0, 14)}...${id.slice(-4)})\n`);
    expect(person.ut('ls')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('answers with the JSON of the design document', () => {
    const person = newPerson();
    const task = person.add('Buy milk', 'errand');
    expect(Object.keys(task)).toEqual(['id', 'text', 'done', 'tags', 'created']);
    expect(task.id).toMatch(/^[0-9a-f]{128}$/);
    expect(person.data('ls')).toEqual([task]);
    expect(person.data('show', task.id.slice(0, 8))).toEqual(task);
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
    expect(ids('--order', 'newest')).toEqual([third.id, second.id, first.id]);
    expect(ids('--order', 'text')).toEqual([second.id, third.id, first.id]);
    expect(person.data<{ tags: unknown[] }>('tags').tags).toContainEqual({ tag: 'urgent', open: 1, done: 1 });
    expect(person.ut('__complete', 'bash', 'ut ls --any work,ur').stdout).toBe('work,urgent\t1 open, 1 done\n');
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
    expect(person.data('show', another.id), 'nothing was changed in it').toEqual(another);
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
    const texts = (): readonly string[] => person.data<Task[]>('ls', '--order', 'text').map(({ text }) => text);
    const all = ['Call Mom +Family', 'first', 'Pay rent'];
    expect(person.data('undo', '--dry-run')).toMatchObject([{ id: first.id, task: { done: false } }]);
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

  it('imports only what it recognises', () => {
    const person = newPerson();
    const passwd = 'root:x:0:0:root:/root:/bin/bash\ndaemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin\n';
    expect(person.run(['import', '-'], passwd)).toMatchObject({ code: 2, stderr: expect.stringContaining('--format') });
    expect(person.run(['import', '-'], '\u0000\u0001binary +tag')).toMatchObject({ code: 2 });
    const todo = Array.from({ length: 12 }, (_, n) => `(A) Task ${n} @home`).join('\n');
    const preview = person.run(['import', '-', '--dry-run'], todo);
    expect(preview.stdout).toMatch(/^12 tasks as todotxt: 12 open, 0 done\n(?:.*\n){10}… and 2 more\n$/);
    expect(person.data('ls')).toEqual([]);
    expect(person.run(['import', '-', '--format', 'todotxt'], 'Just a line\n').stdout).toMatch(/^1 added/);
  });

  it('does not take back what somebody else changed since', () => {
    const person = newPerson();
    const { id } = person.add('shared');
    person.ut('done', id);
    const state = person.run(['export']);
    const somebody = new Person({ ...person.env, HOLDFAST_HOME: join(person.home, 'other') });
    const theirs = state.stdout.replace('"shared"', '"theirs"');
    if (somebody.env['UTASK_NATS_URL'] === undefined) {
      // The same database from another directory, without a server.
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
    // The first change it reports shows that it watches, so make changes until then.
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
    const call = (id: number, name: string, given: unknown) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name, arguments: given },
    });
    const messages = [
      { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-03-26' } },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 2, method: 'tools/list' },
      call(3, 'add_task', { text: 'by an agent', tags: ['AI'] }),
      call(4, 'list_tasks', { all: ['ai'] }),
      call(5, 'update_task', { id: 'ffff0000', done: true }),
      call(6, 'nonsense', {}),
      { jsonrpc: '2.0', id: 7, method: 'nonsense' },
      call(8, 'add_task', { text: 1 }),
    ];
    const { stdout, code } = person.run(
      ['mcp'],
      `${messages.map((message) => JSON.stringify(message)).join('\n')}\nnot json\n`,
    );
    expect(code).toBe(0);
    const answers = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, never>);
    expect(
      answers.map(({ id }) => id),
      'notifications get no answer',
    ).toEqual([1, 2, 3, 4, 5, 6, 7, 8, null]);
    expect(answers[0]).toMatchObject({ result: { protocolVersion: '2025-03-26', serverInfo: { name: 'utask' } } });
    expect(JSON.stringify(answers[1])).toContain('"inputSchema":{');
    expect(JSON.stringify(answers[3])).toContain('by an agent');
    expect(answers[4]).toMatchObject({ result: { isError: true } });
    expect(answers[5]).toMatchObject({ error: { code: -32_602 } });
    expect(answers[6]).toMatchObject({ error: { code: -32_601 } });
    expect(answers[7]).toMatchObject({ result: { isError: true } });
    expect(JSON.stringify(answers[7])).toContain('INPUT_INVALID: text: ');
    expect(answers[8]).toMatchObject({ error: { code: -32_700 } });
    expect(person.data('ls')).toHaveLength(1);
  });
});
