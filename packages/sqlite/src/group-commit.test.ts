import { expect, test } from 'vitest';

import { openTemporary } from '../test/temporary.ts';
import { commitsInLog } from '../test/wal.ts';
import type { Database } from './database.ts';
import { DatabaseSync } from './driver.ts';

async function openNumbers(): Promise<Database> {
  const database = await openTemporary();
  await database.write(({ connection }) => connection.exec('CREATE TABLE numbers (n INTEGER PRIMARY KEY)'));
  return database;
}

const insert = (database: Database, n: number) =>
  database.write(({ connection }) => {
    connection.run('INSERT INTO numbers VALUES (?)', n);
    return n;
  });

const stored = (database: Database): number[] =>
  database.all<{ n: number }>('SELECT n FROM numbers ORDER BY n').map(({ n }) => n);

const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

test('64 concurrent writers share one commit, and each gets its own value and revision, in order', async () => {
  const database = await openNumbers();
  const before = { commits: commitsInLog(database.path), revision: database.revision() };
  const results = await Promise.all(numbers(64).map((n) => insert(database, n)));
  expect(commitsInLog(database.path) - before.commits).toBe(1);
  expect(results.map(({ value }) => value)).toEqual(numbers(64));
  expect(results.map(({ revision }) => revision)).toEqual(numbers(64).map((n) => before.revision + n + 1));
});

test('each member has its own journal entry, with only its own changes', async () => {
  const database = await openNumbers();
  const before = database.revision();
  await Promise.all(numbers(20).map((n) => insert(database, n)));
  const entries = database.changes(before);
  expect(entries.map(({ revision }) => revision)).toEqual(numbers(20).map((n) => before + n + 1));
  expect(entries.map(({ rows }) => rows.map(({ operation, after }) => [operation, ...after]))).toEqual(
    numbers(20).map((n) => [['insert', n]]),
  );
});

test('more writers than fit in one commit all get through, in order, in a few commits', async () => {
  const database = await openNumbers();
  const before = { commits: commitsInLog(database.path), revision: database.revision() };
  const results = await Promise.all(numbers(1_000).map((n) => insert(database, n)));
  expect(results.map(({ revision }) => revision)).toEqual(numbers(1_000).map((n) => before.revision + n + 1));
  expect(commitsInLog(database.path) - before.commits).toBe(4);
});

test('writers that come while a commit is under way join the next one', async () => {
  const database = await openNumbers();
  const before = commitsInLog(database.path);
  const chains = numbers(16).map(async (chain) => {
    for (let step = 0; step < 10; step++) await insert(database, chain * 10 + step);
  });
  await Promise.all(chains);
  expect(stored(database)).toEqual(numbers(160));
  expect(commitsInLog(database.path) - before).toBeLessThanOrEqual(20);
});

test('a member that throws undoes only itself and rejects with what it threw', async () => {
  const database = await openNumbers();
  const before = database.revision();
  const broken = new Error('changed my mind');
  const results = await Promise.allSettled(
    numbers(9).map((n) =>
      database.write(({ connection }) => {
        connection.run('INSERT INTO numbers VALUES (?)', n);
        if (n % 3 === 1) throw broken;
      }),
    ),
  );
  expect(results.map(({ status }) => status === 'fulfilled')).toEqual(numbers(9).map((n) => n % 3 !== 1));
  expect(results[1]).toEqual({ status: 'rejected', reason: broken });
  expect(stored(database)).toEqual([0, 2, 3, 5, 6, 8]);
  expect(database.revision()).toBe(before + 6);
  expect(database.changes(before).flatMap(({ rows }) => rows.map(({ after }) => after[0]))).toEqual([0, 2, 3, 5, 6, 8]);
});

test('a constraint that fails at once is the member’s own conflict', async () => {
  const database = await openNumbers();
  const results = await Promise.allSettled([insert(database, 1), insert(database, 1), insert(database, 2)]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(results[1]).toMatchObject({ reason: { code: 'STORE_CONSTRAINT', kind: 'conflict' } });
  expect(stored(database)).toEqual([1, 2]);
});

test('a constraint that fails only at the commit rejects the member that broke it and nobody else', async () => {
  const database = await openTemporary();
  await database.write(({ connection }) =>
    connection.exec(`
      CREATE TABLE parents (id INTEGER PRIMARY KEY);
      CREATE TABLE children (
        id INTEGER PRIMARY KEY,
        parent INTEGER REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED
      );
    `),
  );
  const before = database.revision();
  const child = (id: number, parent: number | null) =>
    database.write(({ connection }) => {
      connection.run('INSERT INTO children VALUES (?, ?)', id, parent);
    });
  const results = await Promise.allSettled([child(1, null), child(2, 99), child(3, null), child(4, 98)]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected']);
  expect(results[1]).toMatchObject({ reason: { code: 'STORE_CONSTRAINT' } });
  expect(database.all('SELECT id FROM children')).toEqual([{ id: 1 }, { id: 3 }]);
  expect(database.changes(before).map(({ revision }) => revision)).toEqual([before + 1, before + 2]);
});

test('a body that returns a promise is refused and leaves nothing', async () => {
  const database = await openNumbers();
  const refused = database.write(async ({ connection }) => {
    connection.run('INSERT INTO numbers VALUES (7)');
    await Promise.resolve();
  });
  const others = [insert(database, 1), insert(database, 2)];
  await expect(refused).rejects.toThrow('must be synchronous');
  await Promise.all(others);
  expect(stored(database)).toEqual([1, 2]);
});

test('a body that returns a rejected promise is refused without an unhandled rejection', async () => {
  const database = await openNumbers();
  await expect(database.write(() => Promise.reject(new Error('later')))).rejects.toThrow('must be synchronous');
});

test('a member that changes nothing costs no revision and learns what it saw', async () => {
  const database = await openNumbers();
  const before = database.revision();
  const [first, looking, second] = await Promise.all([
    insert(database, 1),
    database.write(({ connection, revision }) => [revision, connection.get('SELECT max(n) AS n FROM numbers')]),
    insert(database, 2),
  ]);
  expect(first.revision).toBe(before + 1);
  expect(looking).toEqual({ revision: before + 1, value: [before + 1, { n: 1 }] });
  expect(second.revision).toBe(before + 2);
});

test('a member sees what the members before it did, and never what a failed one did', async () => {
  const database = await openNumbers();
  const seen: number[][] = [];
  const look = (n: number, fails: boolean) =>
    database.write(({ connection }) => {
      seen.push(connection.all<{ n: number }>('SELECT n FROM numbers').map((row) => row.n));
      connection.run('INSERT INTO numbers VALUES (?)', n);
      if (fails) throw new Error('no');
    });
  await Promise.allSettled([look(1, false), look(2, true), look(3, false), look(4, false)]);
  expect(seen).toEqual([[], [1], [1], [1, 3]]);
});

test('when a promise resolves, another connection already sees the commit', async () => {
  const database = await openNumbers();
  const other = new DatabaseSync(database.path);
  const count = other.prepare('SELECT count(*) AS n FROM numbers WHERE n = ?');
  const sights = await Promise.all(
    numbers(200).map((n) => insert(database, n).then(() => (count.get(n) as { n: number }).n)),
  );
  expect(sights).toEqual(numbers(200).map(() => 1));
  other.close();
});

test('before the commit nothing is visible to another connection, and nothing is acknowledged', async () => {
  const database = await openNumbers();
  const other = new DatabaseSync(database.path);
  let acknowledged = 0;
  const inside: unknown[] = [];
  const writes = numbers(5).map((n) =>
    database
      .write(({ connection }) => {
        connection.run('INSERT INTO numbers VALUES (?)', n);
        inside.push([acknowledged, (other.prepare('SELECT count(*) AS n FROM numbers').get() as { n: number }).n]);
      })
      .then(() => (acknowledged += 1)),
  );
  await Promise.all(writes);
  expect(inside).toEqual(numbers(5).map(() => [0, 0]));
  other.close();
});

test('when the write lock cannot be had, all that wait are rejected and the next write works', async () => {
  const database = await openTemporary({ lock: { timeoutMs: 50 } });
  const other = new DatabaseSync(database.path);
  other.exec('CREATE TABLE numbers (n INTEGER PRIMARY KEY)');
  other.exec('BEGIN IMMEDIATE');
  const results = await Promise.allSettled(numbers(5).map((n) => insert(database, n)));
  expect(results.map((result) => (result as PromiseRejectedResult).reason as unknown)).toEqual(
    numbers(5).map(() => expect.objectContaining({ code: 'STORE_BUSY' }) as Error),
  );
  other.exec('COMMIT');
  await insert(database, 9);
  expect(stored(database)).toEqual([9]);
  other.close();
});

test('a note is kept with its commit', async () => {
  const database = await openNumbers();
  const { revision } = await database.write((transaction) => {
    transaction.connection.run('INSERT INTO numbers VALUES (1)');
    transaction.note('why it was done');
  });
  expect(database.changes(revision - 1)[0]).toMatchObject({ revision, note: 'why it was done' });
});

test('a listener that throws is reported, and stops neither the writer nor the other listeners', async () => {
  const database = await openNumbers();
  const caught: unknown[] = [];
  const reporters = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  process.on('uncaughtException', (error) => caught.push(error));
  try {
    let heard = 0;
    const mistake = new Error('a mistake of the listener');
    const stops = [
      database.onChange(() => {
        throw mistake;
      }),
      database.onChange(() => (heard += 1)),
    ];
    await insert(database, 1);
    await insert(database, 2);
    expect(heard).toBeGreaterThanOrEqual(2);
    for (const stop of stops) stop();
    await new Promise((resolve) => setImmediate(resolve));
    expect(caught.slice(0, 2)).toEqual([mistake, mistake]);
  } finally {
    process.removeAllListeners('uncaughtException');
    for (const reporter of reporters) process.on('uncaughtException', reporter);
  }
});

test('what can be made again shares the commit of what it is made from, and the journal does not hear of it', async () => {
  const database = await openNumbers();
  await database.write(({ connection }) => connection.exec('CREATE TABLE sums (n INTEGER PRIMARY KEY)'));
  const before = { commits: commitsInLog(database.path), revision: database.revision() };
  let sum = 0;
  const [first, second] = await Promise.all([
    database.write(({ connection }) => {
      for (const n of [1, 2, 3]) connection.run('INSERT INTO numbers VALUES (?)', n);
      sum = 6;
    }),
    database.writeDerived(({ connection }) => void connection.run('INSERT INTO sums VALUES (?)', sum)),
  ]);
  expect(commitsInLog(database.path) - before.commits).toBe(1);
  expect(database.all('SELECT n FROM sums')).toEqual([{ n: 6 }]);
  expect(second.revision).toBe(first.revision);
  const tables = database.changes(before.revision).flatMap(({ rows }) => rows.map(({ table }) => table));
  expect(new Set(tables)).toEqual(new Set(['numbers']));
});

test('a split transaction has several journal entries, is one commit, and an error undoes all of it', async () => {
  const database = await openNumbers();
  const before = { commits: commitsInLog(database.path), revision: database.revision() };
  const insertBoth = (fails: boolean) =>
    database.write((transaction) => {
      const { connection } = transaction;
      connection.run('INSERT INTO numbers VALUES (1)');
      transaction.split();
      connection.run('INSERT INTO numbers VALUES (2)');
      if (fails) throw new Error('enough');
    });
  await expect(insertBoth(true)).rejects.toThrow('enough');
  expect({ stored: stored(database), revision: database.revision() }).toEqual({
    stored: [],
    revision: before.revision,
  });
  expect((await insertBoth(false)).revision).toBe(before.revision + 2);
  expect(commitsInLog(database.path) - before.commits).toBe(1);
  expect(database.changes(before.revision).map(({ rows }) => rows.map(({ after }) => after[0]))).toEqual([[1], [2]]);
});
