import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  symlinkSync,
  existsSync,
  readFileSync,
  readdirSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';

import { Connection } from '@holdfast/sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { dataOf, follow, run, temporaryHome } from '../../test/command.ts';
import { openSample, openTables, write } from '../../test/sample.ts';

type Sample = Awaited<ReturnType<typeof openSample>>;

let home: string;
let sample: Sample;

beforeEach(async () => {
  home = temporaryHome();
  sample = await openSample(home);
  await write(sample.keyspace, { 's/1': '{"a":[1,2]}', 's/2': 'plain', 'n:1': '42', raw: new Uint8Array([0, 255]) });
});
afterEach(() => sample.database.close());

describe('holdfast keys', () => {
  it('shows every key with its value and what the value is', () => {
    expect(dataOf(home, 'keys', 'utask')).toEqual([
      { key: 'n:1', value: '42', encoding: 'text' },
      { key: 'raw', value: '00ff', encoding: 'hex' },
      { key: 's/1', value: { a: [1, 2] }, encoding: 'json' },
      { key: 's/2', value: 'plain', encoding: 'text' },
    ]);
    expect(run(home, 'keys', 'utask').stdout).toBe('n:1  42\nraw  0x00ff\ns/1  {"a":[1,2]}\ns/2  plain\n');
  });

  it('takes a prefix, a limit, a direction and a place to go on from; also by path', () => {
    const keys = (...args: string[]) => (dataOf(home, 'keys', ...args) as { key: string }[]).map(({ key }) => key);
    expect(keys('utask', 's/')).toEqual(['s/1', 's/2']);
    expect(keys('utask', '--limit', '2')).toEqual(['n:1', 'raw']);
    expect(keys('utask', '--reverse', '--limit', '1')).toEqual(['s/2']);
    expect(keys('utask', '--after', 'raw')).toEqual(['s/1', 's/2']);
    expect(keys('utask', 's/', '--after', 's/2', '--reverse')).toEqual(['s/1']);
    expect(keys(join(home, 'utask.db'), 'zzz')).toEqual([]);
    expect(run(home, 'keys', 'utask', '-n', '1').stderr).toContain("--after 'n:1'");
  });

  it('prints the same JSON as the command of the application', () => {
    const env = { ...process.env, HOLDFAST_HOME: home };
    const np = (...args: string[]) =>
      spawnSync(resolve(import.meta.dirname, '../../../../dist/bin/np'), args, { env, cwd: home, encoding: 'utf8' })
        .stdout;
    np('s');
    np('g', 's', '-t', 'goal \u001b[2J', '-d', 'x');
    const { data } = JSON.parse(np('keys', '--json')) as { data: readonly { key: string }[] };
    expect(data.length).toBeGreaterThan(3);
    expect(data).toEqual(dataOf(home, 'keys', 'np'));
  });

  it('refuses a database of tables', async () => {
    const tables = await openTables(join(home, 'tables.db'));
    await tables.close();
    const { code, stderr } = run(home, 'keys', join(home, 'tables.db'), '--json');
    expect(code).toBe(2);
    expect(JSON.parse(stderr)).toMatchObject({ schema_version: 1, error: { code: 'NOT_A_KEYSPACE' } });
  });

  it('shows values that try to speak to the terminal without letting them', async () => {
    await write(sample.keyspace, { evil: '\u001b[2Jgone' });
    expect(run(home, 'keys', 'utask', 'evil').stdout).toBe(String.raw`evil  \x1b[2Jgone` + '\n');
    expect(dataOf(home, 'keys', 'utask', 'evil')).toEqual([{ key: 'evil', value: '\u001b[2Jgone', encoding: 'text' }]);
  });
});

describe('holdfast changes', () => {
  it('tells what each commit changed', async () => {
    await write(sample.keyspace, { 's/2': undefined, 's/3': 'new', 'n:1': '43' });
    const changes = dataOf(home, 'changes', 'utask', '--since', '1') as { revision: number; changes: unknown[] }[];
    expect(changes).toHaveLength(1);
    expect(changes[0]).toMatchObject({
      revision: 2,
      note: null,
      changes: expect.arrayContaining([
        { key: 's/2', before: 'plain', after: null },
        { key: 's/3', before: null, after: 'new' },
        { key: 'n:1', before: '42', after: '43' },
      ]) as unknown,
    });
  });

  it('understands tables too', async () => {
    const path = join(home, 'tables.db');
    const tables = await openTables(path);
    await tables.write(({ connection }) =>
      connection.run('INSERT INTO thing VALUES (1, ?, 2.5, ?)', 'é', new Uint8Array([1])),
    );
    await tables.write(({ connection }) => connection.run('UPDATE thing SET name = NULL'));
    await tables.close();
    const changes = dataOf(home, 'changes', path) as { changes: unknown[]; note: string | null }[];
    expect(changes[0]?.note).toContain('things');
    expect(changes[1]?.changes).toEqual([
      {
        table: 'thing',
        operation: 'insert',
        columns: ['id', 'name', 'weight', 'picture'],
        before: [null, null, null, null],
        after: [1, 'é', 2.5, { hex: '01' }],
      },
    ]);
    const { stdout } = run(home, 'changes', path);
    expect(stdout).toContain('+ thing  id=1 name="é" weight=2.5 picture=0x01\n');
    expect(stdout).toContain('~ thing  id=1  name="é" → null\n');
  });

  it('follows commits of other processes, from where it is told', async () => {
    const lines: string[] = [];
    const stop = follow(home, ['changes', 'utask', '--since', '0', '--follow', '--json'], (line) => lines.push(line));
    for (let index = 0; index < 10; index++) await write(sample.keyspace, { 's/1': `value ${index}` });
    const deadline = Date.now() + 20_000;
    while (lines.length < 11 && Date.now() < deadline) await new Promise((wake) => setTimeout(wake, 20));
    await stop();
    const revisions = lines.map((line) => (JSON.parse(line) as { data: { revision: number } }).data.revision);
    expect(revisions).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });
});

describe('holdfast verify', () => {
  // The file is not named after an application, because the sample has no application's schema.
  const file = (): string => join(home, 'sample.db');
  let unnamed: Sample;
  beforeEach(async () => {
    unnamed = await openSample(home, 'sample');
    await write(unnamed.keyspace, { 's/1': '{"a":[1,2]}', 's/2': 'plain' });
  });
  afterEach(() => unnamed.database.close());

  it('finds nothing wrong with a sound database', () => {
    expect(dataOf(home, 'verify', file())).toMatchObject({ kind: 'keyspace', revision: 1, problems: [] });
  });

  it('notices what was changed past the journal, and ends with 1', async () => {
    unnamed.database.reader.exec(`UPDATE keyspace SET value = 'tampered' WHERE key = 's/2'`);
    const { code, stdout } = run(home, 'verify', file(), '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ data: { problems: [{ kind: 'journal_differs', key: 's/2' }] } });
  });

  it('restores from the journal what was changed past it', () => {
    const before = dataOf(home, 'keys', file());
    unnamed.database.reader.exec(`UPDATE keyspace SET value = 'tampered' WHERE key = 's/2'`);
    expect(dataOf(home, 'verify', file(), '--repair')).toMatchObject({ problems: [{ key: 's/2', repaired: true }] });
    expect(dataOf(home, 'keys', file())).toEqual(before);
  });

  it('lists a damaged journal entry and goes on; so does changes', () => {
    unnamed.database.reader.exec(`UPDATE holdfast_journal SET changes = '{' WHERE revision = 1`);
    const { code, stdout } = run(home, 'verify', file(), '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      data: { problems: [{ detail: expect.stringContaining('revision 1') }] },
    });
    expect(dataOf(home, 'changes', file())).toMatchObject([
      { revision: 1, note: expect.stringContaining('cannot be read') },
    ]);
  });
});

describe('holdfast backup and restore', () => {
  const keysNow = () => dataOf(home, 'keys', 'utask');

  it('go back to any commit, and forward again', async () => {
    const states = [keysNow()];
    for (let index = 0; index < 3; index++) {
      await write(sample.keyspace, { 's/2': index === 1 ? undefined : `v${index}`, [`s/new${index}`]: 'x' });
      states.push(keysNow());
    }
    for (const [index, state] of states.entries()) {
      const { stdout } = run(home, 'restore', 'utask', '--at', String(index + 1));
      expect(stdout).toContain(`To undo this: holdfast restore utask --at ${states.length + index}\n`);
      expect(keysNow()).toEqual(state);
    }
    expect(dataOf(home, 'restore', 'utask', '--at', '0')).toMatchObject({ restored_to: 0 });
    expect(keysNow()).toEqual([]);
  });

  it('go back to a moment', async () => {
    const before = keysNow();
    await new Promise((wake) => setTimeout(wake, 20));
    const moment = new Date().toISOString();
    await new Promise((wake) => setTimeout(wake, 20));
    await write(sample.keyspace, { 's/1': 'later' });
    expect(dataOf(home, 'restore', 'utask', '--at', moment)).toMatchObject({ restored_to: 1 });
    expect(keysNow()).toEqual(before);
  });

  it('write the past to a new file and leave the database alone', async () => {
    const before = keysNow();
    await write(sample.keyspace, { 's/1': 'later' });
    const target = join(home, 'then.db');
    dataOf(home, 'restore', 'utask', '--at', '1', '--to', target);
    expect(dataOf(home, 'keys', target)).toEqual(before);
    expect(keysNow()).not.toEqual(before);
  });

  it('keep a backup that can be listed, checked and put in the place of a lost file', async () => {
    const before = keysNow();
    const backup = dataOf(home, 'backup', 'utask') as { path: string; revision: number };
    expect(backup.revision).toBe(1);
    expect(statSync(backup.path).mode & 0o777).toBe(0o600);
    expect(dataOf(home, 'backup', 'utask', '--list')).toMatchObject([{ path: backup.path, revision: 1 }]);
    expect(dataOf(home, 'verify', backup.path)).toMatchObject({ backup: { revision: 1 } });
    await write(sample.keyspace, { 's/1': 'later' });
    await sample.database.close();
    writeFileSync(join(home, 'utask.db'), 'not a database at all');
    const restored = dataOf(home, 'restore', 'utask', '--from', backup.path) as { kept: string };
    expect(keysNow()).toEqual(before);
    expect(readFileSync(restored.kept, 'utf8')).toBe('not a database at all');
  });

  it('refuse to replace a database that is in use', () => {
    const backup = dataOf(home, 'backup', 'utask') as { path: string };
    const { code, stderr } = run(home, 'restore', 'utask', '--from', backup.path, '--json');
    expect(code).toBe(5);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'STORE_IN_USE' } });
  });
});

const covers = (status: 'ok' | 'problem'): unknown =>
  expect.objectContaining({ name: 'Covers', status, reason: expect.stringContaining('sharp') });

describe('holdfast doctor', () => {
  it('says what is there and that it is sound', () => {
    expect(dataOf(home, 'doctor')).toMatchObject({ home, healthy: true });
  });

  it('says so when the optional library that resizes covers is not installed', () => {
    run(home, 'audiobooks', 'stats', 'users');
    expect(dataOf(home, 'doctor')).toMatchObject({ healthy: true, checks: expect.arrayContaining([covers('ok')]) });
    const root = resolve(import.meta.dirname, '../../../..');
    const moved = join(home, '../moved');
    for (const part of ['bin', 'lib/holdfast']) {
      cpSync(join(root, 'dist', part), join(moved, 'dist', part), { recursive: true });
    }
    mkdirSync(join(moved, 'node_modules'));
    for (const name of ['@node-rs', '@photostructure']) {
      symlinkSync(join(root, 'node_modules', name), join(moved, 'node_modules', name));
    }
    const env = { ...process.env, HOLDFAST_HOME: home };
    const { status, stdout } = spawnSync(join(moved, 'dist/bin/holdfast'), ['doctor', '--json'], {
      env,
      encoding: 'utf8',
    });
    expect(status).toBe(1);
    const { data } = JSON.parse(stdout) as { data: unknown };
    expect(data).toMatchObject({ healthy: false, checks: expect.arrayContaining([covers('problem')]) });
  });

  it('names a process whose read transaction lets the log grow', async () => {
    const snapshot = sample.database.snapshot();
    await sample.database.write(({ connection }) =>
      connection.run("INSERT INTO keyspace VALUES ('long', zeroblob(30000000))"),
    );
    const { code, stdout } = run(home, 'doctor');
    snapshot.release();
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /a long read prevents the reuse of \d+ MiB of the write-ahead log, the oldest reader started before 20/,
    );
    expect(stdout).toContain(`process ${process.pid} (`);
  });

  it('reports a notebook and a library that hold keys', () => {
    const [notes, books] = ['notes', 'books'].map((name) => join(home, '..', name)) as [string, string];
    mkdirSync(books);
    run(home, 'notebooks', 'add', 'notes', notes);
    run(home, 'audiobooks', 'scan', books);
    expect(dataOf(home, 'doctor')).toMatchObject({ healthy: true });
    for (const folder of [notes, books]) writeFileSync(join(folder, 'id_ed25519'), '');
    const { code, stdout } = run(home, 'doctor');
    expect(code).toBe(1);
    for (const folder of [notes, books]) {
      expect(stdout).toContain(`${realpathSync(folder)}: it contains credentials (id_ed25519)`);
    }
  });

  it('reports a commit from the future, because the clock must be wrong', async () => {
    await sample.database.write(({ connection }) =>
      connection.run('UPDATE holdfast_journal SET at = ?', Date.now() + 86_400_000),
    );
    const { code, stdout } = run(home, 'doctor');
    expect(code).toBe(1);
    expect(stdout).toMatch(/✗ Clock .*before the last stored commit/);
  });

  it('points at a damaged database', () => {
    writeFileSync(join(home, 'codex.db'), 'rubbish'.repeat(500));
    const { code, stdout } = run(home, 'doctor');
    expect(code).toBe(1);
    expect(stdout).toMatch(/✗ codex/);
    expect(run(join(home, 'codex.db'), 'doctor').stdout).toMatch(/✗ Data home .*is not a folder/);
  });
});

describe('bad input', () => {
  const cases: readonly (readonly [args: string[], code: number, error: string])[] = [
    [['keys'], 2, 'MISSING_ARGUMENT'],
    [['keys', 'nope'], 3, 'STORE_NOT_FOUND'],
    [['keys', 'utask', '--limit', 'many'], 2, 'INVALID_ARGUMENT'],
    [['keys', 'utask', '--limit', '-1'], 2, 'INVALID_ARGUMENT'],
    [['keys', 'utask', '--colour'], 2, 'UNKNOWN_OPTION'],
    [['keys', 'utask', 'a', 'b'], 2, 'UNEXPECTED_ARGUMENT'],
    [['keyz', 'utask'], 2, 'UNKNOWN_COMMAND'],
    [['changes', 'nope'], 3, 'STORE_NOT_FOUND'],
    [['changes', 'utask', '--since', 'x'], 2, 'INVALID_ARGUMENT'],
    [['verify', 'nope'], 3, 'STORE_NOT_FOUND'],
    [['verify', 'codex'], 3, 'STORE_NOT_FOUND'],
    [['backup', 'nope'], 3, 'STORE_NOT_FOUND'],
    [['backup', 'utask', 'HOME/utask.db'], 4, 'BACKUP_EXISTS'],
    [['restore', 'utask'], 2, 'MISSING_OPTION'],
    [['restore', 'utask', '--at', '99'], 3, 'RESTORE_POINT_UNKNOWN'],
    [['restore', 'utask', '--at', 'yesterday-ish'], 2, 'INVALID_ARGUMENT'],
    [['restore', 'utask', '--at', '1999-01-01'], 3, 'RESTORE_POINT_UNKNOWN'],
    [['restore', 'utask', '--from', 'HOME/none.db'], 3, 'STORE_NOT_FOUND'],
    [['restore', 'utask', '--from', 'HOME/utask.db'], 1, 'BACKUP_INVALID'],
    [['restore', 'utask', '--at', '1', '--to', 'HOME/utask.db'], 4, 'BACKUP_EXISTS'],
    [['keys', 'HOME/foreign.db'], 2, 'NOT_A_HOLDFAST_DATABASE'],
    [['keys', 'HOME/rubbish.db'], 5, 'STORE_CORRUPT'],
    [['keys', 'HOME'], 1, 'STORE_PERMISSION'],
  ];

  it.each(cases)('%j ends with %i and %s, a hint, and nothing changed', (args, code, error) => {
    const foreign = new Connection(join(home, 'foreign.db'));
    foreign.exec('CREATE TABLE t (a)');
    foreign.close();
    writeFileSync(join(home, 'rubbish.db'), 'rubbish'.repeat(500));
    const before = snapshotOf(home);
    const ran = run(home, ...args.map((arg) => arg.replace('HOME', home)), '--json');
    expect({ code: ran.code, ...(JSON.parse(ran.stderr) as object) }).toMatchObject({
      code,
      schema_version: 1,
      error: { code: error, message: expect.any(String) as string, hint: expect.stringMatching(/\w/) as string },
    });
    expect(ran.stdout).toBe('');
    expect(snapshotOf(home)).toEqual(before);
  });

  /** All files and their content, except SQLite's working files. */
  function snapshotOf(folder: string): Record<string, string> {
    const names = readdirSync(folder).filter((name) => !/-(wal|shm)$/.test(name));
    return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'latin1')]));
  }
});

it('lists the commands of applications in help and completion, although others start without them', () => {
  expect(run(home, 'help', 'codex', 'write').stdout).toContain('holdfast notebooks write');
  expect(run(home, 'ab', '--help').stdout).toContain('organise');
  expect(run(home, '__complete', 'bash', '--', 'holdfast notebooks wri').stdout).toContain('write');
});

it('the command prints its help, with examples, and a completion script', () => {
  expect(run(home, '--help').stdout).toContain('restore');
  expect(run(home, 'restore', '--help').stdout).toContain('holdfast restore np --at 120');
  expect(run(home, 'completion', 'bash').stdout).toContain('holdfast');
  expect(existsSync(join(home, 'utask.db'))).toBe(true);
});
