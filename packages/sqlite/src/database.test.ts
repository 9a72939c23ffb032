import { readdirSync, readFileSync, readlinkSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { openTemporary, temporaryFolder } from '../test/temporary.ts';
import type { Connection } from './connection.ts';
import { openDatabase } from './database.ts';
import { DatabaseSync } from './driver.ts';
import { detectKind } from './layout.ts';

const createTable = (connection: Connection): void => connection.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, v)');

function openFiles(path: string): number {
  const folder = `/proc/${process.pid}/fd`;
  return readdirSync(folder).filter((name) => {
    try {
      return readlinkSync(join(folder, name)).startsWith(path);
    } catch {
      return false;
    }
  }).length;
}

test('every connection is durable, checks foreign keys, and shows what SQLite says about it', async () => {
  const database = await openTemporary();
  const snapshot = database.snapshot();
  for (const connection of [database.reader, snapshot.connection]) {
    expect(connection.get('PRAGMA journal_mode')).toEqual({ journal_mode: 'wal' });
    expect(connection.get('PRAGMA synchronous')).toEqual({ synchronous: 2 });
    expect(connection.get('PRAGMA foreign_keys')).toEqual({ foreign_keys: 1 });
    expect(connection.get('PRAGMA trusted_schema')).toEqual({ trusted_schema: 0 });
    expect(connection.get('PRAGMA busy_timeout')).toEqual({ timeout: 5_000 });
  }
  snapshot.release();
});

test('"acknowledged means on disk" is given up only where a benchmark asks for it', async () => {
  const database = await openTemporary({ synchronous: 'OFF' });
  expect(database.get('PRAGMA synchronous')).toEqual({ synchronous: 0 });
});

test('text in double quotes is a column that does not exist, not a text', async () => {
  const database = await openTemporary();
  expect(() => database.get('SELECT "no_such_column"')).toThrow('no such column');
});

test('a file can be recognised as ours, and of which kind, without touching it', async () => {
  const folder = temporaryFolder();
  const paths = {
    keyspace: join(folder, 'keys.db'),
    tables: join(folder, 'tables.db'),
    other: join(folder, 'other.db'),
  };
  await (await openDatabase({ path: paths.keyspace, kind: 'keyspace' })).close();
  await (await openDatabase({ path: paths.tables, kind: 'tables' })).close();
  const stranger = new DatabaseSync(paths.other);
  stranger.exec('CREATE TABLE places (id INTEGER PRIMARY KEY)');
  stranger.close();
  const before = Object.values(paths).map((path) => readFileSync(path));
  expect(Object.values(paths).map((path) => detectKind(path))).toEqual(['keyspace', 'tables', undefined]);
  expect(Object.values(paths).map((path) => readFileSync(path))).toEqual(before);
  const APPLICATION_ID_AT = 68;
  expect(before[1]!.subarray(APPLICATION_ID_AT, APPLICATION_ID_AT + 4).toString()).toBe('HFST');
});

test('opening what exists keeps it', async () => {
  const path = join(temporaryFolder(), 'test.db');
  const first = await openDatabase({ path, kind: 'keyspace' });
  await first.write((transaction) => {
    transaction.connection.run("INSERT INTO keyspace VALUES ('a', '1')");
    transaction.journal('[["a",null,"1"]]');
  });
  await first.close();
  const again = await openTemporary({ path, kind: 'keyspace', create: false });
  expect(again.all('SELECT * FROM keyspace')).toEqual([{ key: 'a', value: '1' }]);
  expect(again.revision()).toBe(1);
});

test('many openers of a new file at once all get it', async () => {
  const path = join(temporaryFolder(), 'test.db');
  const all = await Promise.all(Array.from({ length: 8 }, () => openTemporary({ path, kind: 'keyspace' })));
  await Promise.all(
    all.map((database, index) =>
      database.write((transaction) => {
        transaction.connection.run('INSERT INTO keyspace VALUES (?, ?)', `k${index}`, 'x');
        transaction.journal(`[["k${index}",null,"x"]]`);
      }),
    ),
  );
  expect(all.map((database) => database.revision())).toEqual(all.map(() => 8));
});

test.each([
  ['text', Buffer.from('This is not a database, it is only a text file that is long enough. '.repeat(40))],
  ['random bytes', Buffer.from(Array.from({ length: 8_192 }, (_, n) => (n * 7_919) % 251))],
  ['a header and then nothing sensible', Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(4_080, 0xff)])],
])('a file of %s is corrupt, is left as it is, and stays closed', async (_name, content) => {
  const path = join(temporaryFolder(), 'test.db');
  writeFileSync(path, content, { mode: 0o600 });
  await expect(openDatabase({ path, kind: 'tables' })).rejects.toMatchObject({
    code: 'STORE_CORRUPT',
    kind: 'unavailable',
    cause: expect.any(Error) as Error,
  });
  expect(readFileSync(path).equals(content)).toBe(true);
  expect(openFiles(path)).toBe(0);
});

test('a database that cannot be brought up to date stays closed', async () => {
  const path = join(temporaryFolder(), 'test.db');
  const steps = [{ version: 2, description: 'out of order', up: () => undefined }];
  await expect(openDatabase({ path, kind: 'tables', migrations: { scope: 'x', steps } })).rejects.toThrow(TypeError);
  expect(openFiles(path)).toBe(0);
});

test('damage inside the file is found on demand, as a list or as a clear error', async () => {
  const path = join(temporaryFolder(), 'test.db');
  const first = await openDatabase({ path, kind: 'tables' });
  expect(first.integrityProblems()).toEqual([]);
  await first.write(({ connection }) => {
    createTable(connection);
    connection.exec('CREATE INDEX by_v ON t (v)');
    for (let id = 1; id <= 500; id++) connection.run('INSERT INTO t VALUES (?, ?)', id, 'x'.repeat(100));
  });
  await first.close();
  const bytes = readFileSync(path);
  for (let page = 5; page < bytes.length / 4_096; page += 3) bytes.fill(0x5a, page * 4_096, page * 4_096 + 64);
  writeFileSync(path, bytes);
  const damaged = await openTemporary({ path });
  let problems: readonly string[] = [];
  try {
    problems = damaged.integrityProblems();
  } catch (error) {
    expect(error).toMatchObject({ code: 'STORE_CORRUPT' });
    problems = [(error as Error).message];
  }
  expect(problems.length).toBeGreaterThan(0);
});

test('a file that was cut off is reported as damaged', async () => {
  const path = join(temporaryFolder(), 'test.db');
  const first = await openDatabase({ path, kind: 'tables' });
  await first.write(({ connection }) => {
    createTable(connection);
    for (let id = 1; id <= 500; id++) connection.run('INSERT INTO t VALUES (?, ?)', id, 'x'.repeat(100));
  });
  await first.close();
  truncateSync(path, 16 * 1_024);
  let problems: readonly string[] = [];
  try {
    problems = (await openTemporary({ path })).integrityProblems();
  } catch (error) {
    expect(error).toMatchObject({ code: 'STORE_CORRUPT' });
    problems = [(error as Error).message];
  }
  expect(problems.length).toBeGreaterThan(0);
});

test('an error of a read is one of ours, with SQLite as its cause', async () => {
  const database = await openTemporary();
  expect(() => database.all('SELECT * FROM no_such_table')).toThrow(
    expect.objectContaining({ code: 'STORE_FAILED', message: expect.stringContaining('no_such_table') as string }),
  );
  expect(() => database.get('SELECT * FROM no_such_table')).toThrow(expect.objectContaining({ code: 'STORE_FAILED' }));
});

test('text with a NUL character is refused instead of being cut off there', async () => {
  const database = await openTemporary();
  await database.write(({ connection }) => createTable(connection));
  const write = database.write(({ connection }) => connection.run('INSERT INTO t VALUES (1, ?)', 'before\0after'));
  await expect(write).rejects.toMatchObject({ code: 'STORE_TEXT', kind: 'usage' });
  expect(database.all('SELECT * FROM t')).toEqual([]);
  expect(() => database.get('SELECT * FROM t WHERE v = ?', '\0')).toThrow('NUL');
});

test('closing waits for what was submitted, and everything of it is there afterwards', async () => {
  const path = join(temporaryFolder(), 'test.db');
  const database = await openDatabase({ path, kind: 'tables' });
  await database.write(({ connection }) => createTable(connection));
  const writes = Array.from({ length: 10 }, (_, id) =>
    database.write(({ connection }) => connection.run('INSERT INTO t VALUES (?, ?)', id, 'x')),
  );
  const closed = database.close();
  await Promise.all(writes);
  await closed;
  expect(openFiles(path)).toBe(0);
  const again = await openTemporary({ path });
  expect(again.get('SELECT count(*) AS n FROM t')).toEqual({ n: 10 });
});

test('closing releases the files also if the statements are old and the folder is a link', async () => {
  const folder = temporaryFolder();
  const link = join(temporaryFolder(), 'link');
  symlinkSync(folder, link);
  const database = await openDatabase({ path: join(link, 'test.db'), kind: 'tables' });
  await database.write(({ connection }) => createTable(connection));
  // Each `close` collects young objects. After three collections, V8 counts the statements of `database` as old
  // objects.
  for (const name of ['first', 'second', 'third']) {
    await (await openDatabase({ path: join(folder, name), kind: 'tables' })).close();
    expect(openFiles(join(folder, name))).toBe(0);
  }
  await database.close();
  expect(openFiles(join(folder, 'test.db'))).toBe(0);
});

test('a write that a finishing write submits while closing is done too', async () => {
  const path = join(temporaryFolder(), 'test.db');
  const database = await openDatabase({ path, kind: 'tables' });
  await database.write(({ connection }) => createTable(connection));
  const second = database
    .write(({ connection }) => connection.run('INSERT INTO t VALUES (1, 1)'))
    .then(() => database.write(({ connection }) => connection.run('INSERT INTO t VALUES (2, 2)')));
  await Promise.allSettled([second, database.close()]);
  const again = await openTemporary({ path });
  const { n } = again.get<{ n: number }>('SELECT count(*) AS n FROM t')!;
  const isDone = await second.then(
    () => true,
    (error: { code: string }) => (expect(error.code).toBe('STORE_CLOSED'), false),
  );
  expect(n).toBe(isDone ? 2 : 1);
});

test('after closing, every use says so, and closing again is harmless', async () => {
  const database = await openTemporary();
  await database.close();
  await database.close();
  const closed = expect.objectContaining({ code: 'STORE_CLOSED' }) as Error;
  await expect(database.write(() => 1)).rejects.toEqual(closed);
  expect(() => database.get('SELECT 1')).toThrow(closed);
  expect(() => database.all('SELECT 1')).toThrow(closed);
  expect(() => database.snapshot()).toThrow(closed);
  expect(() => database.revision()).toThrow(closed);
  expect(() => database.changes(0)).toThrow(closed);
  expect(() => database.integrityProblems()).toThrow(closed);
  expect(() => database.onChange(() => undefined)).toThrow(closed);
});

test('`await using` closes', async () => {
  const path = join(temporaryFolder(), 'test.db');
  {
    await using database = await openDatabase({ path, kind: 'tables' });
    expect(database.revision()).toBe(0);
  }
  expect(openFiles(path)).toBe(0);
});

test('the last close leaves one file, without a log beside it', async () => {
  const folder = temporaryFolder();
  const database = await openDatabase({ path: join(folder, 'test.db'), kind: 'tables' });
  await database.write(({ connection }) => createTable(connection));
  database.snapshot();
  await database.close();
  expect(readdirSync(folder)).toEqual(['test.db']);
});

test('databases that are closed at once, or shortly after one another, release all their files', async () => {
  const folder = temporaryFolder();
  const databases = await Promise.all(
    ['a', 'b', 'c', 'd'].map((name) => openDatabase({ path: join(folder, `${name}.db`), kind: 'tables' })),
  );
  for (const database of databases) await database.write(({ connection }) => createTable(connection));
  const closing = databases.slice(0, 2).map((database) => database.close());
  for (const database of databases.slice(2)) {
    await new Promise((resolve) => setImmediate(resolve));
    closing.push(database.close());
  }
  await Promise.all(closing);
  expect(openFiles(folder)).toBe(0);
});
