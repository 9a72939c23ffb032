import { expect, test } from 'vitest';

import { openTemporary } from '../../test/temporary.ts';
import type { Database } from '../database.ts';
import { revisionAt } from './journal.ts';
import { encodeKeyChanges } from './key-changes.ts';

const MINUTE = 60_000;

/** Writes a key as the keyspace does: row and journal entry. */
const put = (database: Database, key: string, value: string) =>
  database.write((transaction) => {
    const { connection } = transaction;
    const before = connection.get<{ value: string }>('SELECT value FROM keyspace WHERE key = ?', key)?.value;
    connection.run('INSERT OR REPLACE INTO keyspace VALUES (?, ?)', key, value);
    transaction.journal(encodeKeyChanges([{ key, before, after: value }]));
  });

const putMany = (database: Database, count: number) =>
  Promise.all(Array.from({ length: count }, (_, n) => put(database, `k${n % 10}`, String(n))));

test('a keyspace commit is recorded with its keys, from what and to what', async () => {
  const database = await openTemporary({ kind: 'keyspace', now: () => 1_234 });
  await put(database, 'a', '1');
  await put(database, 'a', '2');
  expect(
    database.changes(0).map(({ revision, at, kind, note, keys, rows }) => ({ revision, at, kind, note, keys, rows })),
  ).toEqual([
    {
      revision: 1,
      at: 1_234,
      kind: 'keys',
      note: undefined,
      keys: [{ key: 'a', before: undefined, after: '1' }],
      rows: [],
    },
    { revision: 2, at: 1_234, kind: 'keys', note: undefined, keys: [{ key: 'a', before: '1', after: '2' }], rows: [] },
  ]);
});

test('a commit of tables is recorded with its rows', async () => {
  const database = await openTemporary();
  await database.write(({ connection }) => connection.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, v)'));
  await database.write(({ connection }) => connection.exec(`INSERT INTO t VALUES (1, 'x')`));
  const [entry] = database.changes(database.revision() - 1);
  expect(entry).toMatchObject({
    kind: 'changeset',
    keys: [],
    rows: [{ table: 't', operation: 'insert', after: [1, 'x'] }],
  });
});

test('the journal itself, and what the store keeps about itself, are not part of what is recorded', async () => {
  const database = await openTemporary();
  await database.write(({ connection }) => connection.exec('CREATE TABLE t (id INTEGER PRIMARY KEY)'));
  await Promise.all(
    Array.from({ length: 600 }, () =>
      database.write(({ connection }) => {
        connection.run('INSERT INTO t DEFAULT VALUES');
      }),
    ),
  );
  const named = new Set(database.changes(0).flatMap(({ rows }) => rows.map(({ table }) => table)));
  expect([...named]).toEqual(['t']);
});

test('changes are read in order, from anywhere, in pages', async () => {
  const database = await openTemporary({ kind: 'keyspace' });
  await putMany(database, 25);
  const revisions = (since: number, limit?: number) => database.changes(since, limit).map(({ revision }) => revision);
  expect(revisions(0)).toEqual(Array.from({ length: 25 }, (_, n) => n + 1));
  expect(revisions(20)).toEqual([21, 22, 23, 24, 25]);
  expect(revisions(3, 4)).toEqual([4, 5, 6, 7]);
  expect(revisions(25)).toEqual([]);
});

test('an empty journal has no changes and revision 0', async () => {
  const database = await openTemporary({ kind: 'keyspace' });
  expect([database.revision(), database.oldestRevision(), database.changes(0)]).toEqual([0, 0, []]);
});

test('trimming by number keeps the newest, at least as many as asked for, and not many more', async () => {
  const database = await openTemporary({
    kind: 'keyspace',
    synchronous: 'OFF',
    retention: { ageMs: Number.MAX_SAFE_INTEGER, revisions: 100, bytes: Number.MAX_SAFE_INTEGER },
  });
  await putMany(database, 3_000);
  const kept = database.revision() - database.oldestRevision() + 1;
  expect(database.revision()).toBe(3_000);
  expect(kept).toBeGreaterThanOrEqual(100);
  expect(kept).toBeLessThanOrEqual(100 + 256);
  expect(database.changes(database.oldestRevision() - 1, 10_000)).toHaveLength(kept);
});

test('trimming by bytes bounds a journal of large values, and what is left can be restored', async () => {
  const retention = { ageMs: Number.MAX_SAFE_INTEGER, revisions: 100_000, bytes: 1024 * 1024 };
  const database = await openTemporary({ kind: 'keyspace', synchronous: 'OFF', retention });
  for (let count = 1; count <= 2_048; count++) {
    const value = `${count} `.repeat(400);
    await database.write((transaction) => {
      transaction.connection.run('INSERT OR REPLACE INTO keyspace (key, value) VALUES (?, ?)', 'list', value);
      transaction.journal(encodeKeyChanges([{ key: 'list', before: undefined, after: value }]));
    });
  }
  const oldest = database.oldestRevision();
  const { bytes } = database.get<{ bytes: number }>(
    'SELECT sum(octet_length(changes)) AS bytes FROM holdfast_journal',
  ) ?? {
    bytes: 0,
  };
  expect(oldest).toBeGreaterThan(1_000);
  expect(bytes).toBeLessThan(2 * 1024 * 1024);
  expect(database.changes(oldest - 1, 10_000)).toHaveLength(database.revision() - oldest + 1);
});

test('trimming by age removes what is too old, whichever process wrote it', async () => {
  let now = 1_000 * MINUTE;
  const retention = { ageMs: 10 * MINUTE, revisions: 100_000, bytes: Number.MAX_SAFE_INTEGER };
  const database = await openTemporary({ kind: 'keyspace', synchronous: 'OFF', retention, now: () => now });
  await putMany(database, 200);
  now += 11 * MINUTE;
  const other = await openTemporary({ path: database.path, kind: 'keyspace', retention, now: () => now });
  await putMany(other, 100);
  expect(database.oldestRevision()).toBe(201);
  expect(database.revision()).toBe(300);
});

test('the newest entry stays however old it is, so that revisions never start again', async () => {
  let now = MINUTE;
  const database = await openTemporary({
    kind: 'keyspace',
    synchronous: 'OFF',
    retention: { ageMs: MINUTE, revisions: 1, bytes: Number.MAX_SAFE_INTEGER },
    now: () => now,
  });
  for (let round = 0; round < 6; round++) {
    await putMany(database, 256);
    now += 60 * MINUTE;
  }
  expect(database.revision()).toBe(6 * 256);
  expect((await put(database, 'next', 'x')).revision).toBe(6 * 256 + 1);
});

test('what lies before the journal is JOURNAL_TRIMMED, and the oldest that is kept can be read', async () => {
  const database = await openTemporary({
    kind: 'keyspace',
    synchronous: 'OFF',
    retention: { ageMs: Number.MAX_SAFE_INTEGER, revisions: 10, bytes: Number.MAX_SAFE_INTEGER },
  });
  await putMany(database, 600);
  const oldest = database.oldestRevision();
  expect(oldest).toBeGreaterThan(2);
  const trimmed = expect.objectContaining({ code: 'JOURNAL_TRIMMED', kind: 'not_found' }) as Error;
  expect(() => database.changes(0)).toThrow(trimmed);
  expect(() => database.changes(oldest - 2)).toThrow(trimmed);
  expect(database.changes(oldest - 1, 1)[0]).toMatchObject({ revision: oldest });
});

test('a moment is the last commit at or before it; before the first there is none', async () => {
  let now = 0;
  const database = await openTemporary({ kind: 'keyspace', now: () => now });
  for (const at of [100, 200, 200, 300]) {
    now = at;
    await put(database, 'k', String(at));
  }
  const at = (moment: number) => revisionAt(database.reader, moment);
  expect([99, 100, 150, 200, 299, 300, 9_999].map(at)).toEqual([undefined, 1, 1, 3, 3, 4, 4]);
});

test('a revision that was never reached is refused instead of waited for', async () => {
  const database = await openTemporary({ kind: 'keyspace' });
  await put(database, 'a', '1');
  expect(database.changes(1)).toEqual([]);
  expect(() => database.changes(2)).toThrow(expect.objectContaining({ code: 'JOURNAL_TRIMMED' }));
});
