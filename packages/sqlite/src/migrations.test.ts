import { join } from 'node:path';

import { expect, test } from 'vitest';

import { openTemporary, temporaryFolder } from '../test/temporary.ts';
import type { Connection } from './connection.ts';
import { openDatabase } from './database.ts';
import type { Migration, MigrationPlan } from './migrations.ts';

const createList = (name: string): Omit<Migration, 'version'> => ({
  description: `create ${name}`,
  up: (connection) => connection.exec(`CREATE TABLE ${name} (id INTEGER PRIMARY KEY)`),
});

function plan(...steps: readonly Omit<Migration, 'version'>[]): MigrationPlan {
  return { scope: 'lists', steps: steps.map((step, index) => ({ ...step, version: index + 1 })) };
}

const recorded = (database: { all<T>(sql: string): T[] }): unknown[] =>
  database.all('SELECT scope, version, description FROM holdfast_migrations ORDER BY scope, version');

const tables = (database: { all<T>(sql: string): T[] }): string[] =>
  database
    .all<{
      name: string;
    }>(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'holdfast%' ORDER BY name`)
    .map(({ name }) => name);

test('migrations run once each, in order, and are recorded with time and duration', async () => {
  const path = join(temporaryFolder(), 'test.db');
  const ran: number[] = [];
  const steps = [1, 2, 3].map((n) => ({
    description: `step ${n}`,
    up: (connection: Connection) => {
      ran.push(n);
      connection.exec(`CREATE TABLE t${n} (id INTEGER PRIMARY KEY)`);
    },
  }));
  const at = Date.UTC(2026, 0, 2, 3, 4, 5, 6);
  const first = await openDatabase({ path, kind: 'tables', migrations: plan(...steps), now: () => at });
  expect(ran).toEqual([1, 2, 3]);
  const rows = first.all<{ duration_ms: number }>('SELECT * FROM holdfast_migrations ORDER BY version');
  expect(rows).toEqual(
    [1, 2, 3].map((version) => ({
      scope: 'lists',
      version,
      description: `step ${version}`,
      applied_at: '2026-01-02T03:04:05.006Z',
      duration_ms: expect.any(Number) as number,
    })),
  );
  for (const { duration_ms: duration } of rows) expect(duration).toBeGreaterThanOrEqual(0);
  await first.close();
  await openTemporary({ path, migrations: plan(...steps) });
  expect(ran).toEqual([1, 2, 3]);
});

test('a slow migration is recorded as slow', async () => {
  const slow = { description: 'slow', up: () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 30) };
  const database = await openTemporary({ migrations: plan(slow) });
  expect(database.get<{ d: number }>('SELECT duration_ms AS d FROM holdfast_migrations')!.d).toBeGreaterThanOrEqual(29);
});

test('each migration is a commit of the journal, which point-in-time restore does not cross', async () => {
  const database = await openTemporary({ migrations: plan(createList('a'), createList('b')) });
  expect(database.changes(0).map(({ revision, kind, note }) => [revision, kind, note])).toEqual([
    [1, 'schema', 'migration 1 of lists: create a'],
    [2, 'schema', 'migration 2 of lists: create b'],
  ]);
});

test('a later program continues where the earlier one stopped', async () => {
  const path = join(temporaryFolder(), 'test.db');
  await (await openDatabase({ path, kind: 'tables', migrations: plan(createList('a')) })).close();
  const database = await openTemporary({ path, migrations: plan(createList('a'), createList('b'), createList('c')) });
  expect(tables(database)).toEqual(['a', 'b', 'c']);
});

test('several schemas in one file are numbered independently', async () => {
  const path = join(temporaryFolder(), 'test.db');
  await (await openDatabase({ path, kind: 'tables', migrations: plan(createList('a'), createList('b')) })).close();
  const other = { ...plan(createList('x')), scope: 'other' };
  const database = await openTemporary({ path, migrations: other });
  expect(recorded(database)).toEqual([
    { scope: 'lists', version: 1, description: 'create a' },
    { scope: 'lists', version: 2, description: 'create b' },
    { scope: 'other', version: 1, description: 'create x' },
  ]);
});

test('a database from a newer program is refused before anything is touched', async () => {
  const path = join(temporaryFolder(), 'test.db');
  const newer = plan(createList('a'), createList('b'));
  const first = await openDatabase({ path, kind: 'tables', migrations: newer });
  const before = first.revision();
  await first.close();
  await expect(openDatabase({ path, kind: 'tables', migrations: plan(createList('a')) })).rejects.toMatchObject({
    code: 'SCHEMA_NEWER',
    kind: 'unavailable',
    message: expect.stringContaining('version 2') as string,
  });
  const again = await openTemporary({ path, migrations: newer });
  expect(again.revision()).toBe(before);
  expect(tables(again)).toEqual(['a', 'b']);
});

test('a migration that fails is rolled back whole, keeps those before it, and is tried again next time', async () => {
  const path = join(temporaryFolder(), 'test.db');
  let isBroken = true;
  const moody = {
    description: 'moody',
    up(connection: Connection): void {
      connection.exec('CREATE TABLE half (id INTEGER PRIMARY KEY); INSERT INTO a VALUES (1)');
      if (isBroken) throw new Error('not today');
    },
  };
  const migrations = plan(createList('a'), moody, createList('c'));
  await expect(openDatabase({ path, kind: 'tables', migrations })).rejects.toMatchObject({
    code: 'MIGRATION_FAILED',
    message: 'Migration 2 of lists (moody) failed: not today',
    cause: { message: 'not today' },
  });
  const between = await openDatabase({ path, kind: 'tables' });
  expect(tables(between)).toEqual(['a']);
  expect(recorded(between)).toHaveLength(1);
  expect(between.all('SELECT * FROM a')).toEqual([]);
  await between.close();

  isBroken = false;
  const database = await openTemporary({ path, migrations });
  expect(tables(database)).toEqual(['a', 'c', 'half']);
  expect(database.all('SELECT * FROM a')).toEqual([{ id: 1 }]);
});

test('an asynchronous migration is refused, because its end would not be part of the commit', async () => {
  const path = join(temporaryFolder(), 'test.db');
  const later = {
    description: 'later',
    up: async (connection: Connection): Promise<void> => {
      connection.exec('CREATE TABLE early (id INTEGER PRIMARY KEY)');
      await Promise.resolve();
    },
  };
  await expect(openDatabase({ path, kind: 'tables', migrations: plan(later) })).rejects.toMatchObject({
    code: 'MIGRATION_FAILED',
    message: expect.stringContaining('synchronous') as string,
  });
  const database = await openTemporary({ path });
  expect(tables(database)).toEqual([]);
  expect(recorded(database)).toEqual([]);
});

test('a table without a primary key is refused, because the journal could not tell what happens to it', async () => {
  const path = join(temporaryFolder(), 'test.db');
  const keyless = { description: 'keyless', up: (connection: Connection) => connection.exec('CREATE TABLE bag (v)') };
  await expect(openDatabase({ path, kind: 'tables', migrations: plan(keyless) })).rejects.toMatchObject({
    code: 'MIGRATION_FAILED',
    message: expect.stringContaining('the table bag has no primary key') as string,
  });
  const fine = {
    description: 'with keys, views and full-text search',
    up: (connection: Connection) =>
      connection.exec(`
        CREATE TABLE counted (id INTEGER PRIMARY KEY AUTOINCREMENT);
        CREATE TABLE pairs (a, b, PRIMARY KEY (a, b));
        CREATE VIEW both AS SELECT * FROM counted, pairs;
        CREATE VIRTUAL TABLE words USING fts5 (word);
      `),
  };
  await expect(openTemporary({ path, migrations: plan(fine) })).resolves.toBeDefined();
});

test.each([[[2]], [[1, 3]], [[1, 1]], [[2, 1]]])(
  'migrations numbered %j are a mistake of the program',
  async (versions) => {
    const steps = versions.map((version) => ({ ...createList(`t${version}`), version }));
    const path = join(temporaryFolder(), 'test.db');
    await expect(openDatabase({ path, kind: 'tables', migrations: { scope: 'x', steps } })).rejects.toThrow(
      'must be numbered 1, 2, 3',
    );
  },
);

test('openers at once apply each migration once', async () => {
  const path = join(temporaryFolder(), 'test.db');
  const ran: number[] = [];
  const steps = [1, 2, 3, 4].map((n) => ({
    description: `step ${n}`,
    up: (connection: Connection) => {
      ran.push(n);
      connection.exec(`CREATE TABLE t${n} (id INTEGER PRIMARY KEY)`);
    },
  }));
  const all = await Promise.all(Array.from({ length: 5 }, () => openTemporary({ path, migrations: plan(...steps) })));
  expect(ran).toEqual([1, 2, 3, 4]);
  for (const database of all) expect(recorded(database)).toHaveLength(4);
});
