import { expect, test } from 'vitest';

import { openTemporary } from '../test/temporary.ts';
import type { Database } from './database.ts';
import { DatabaseSync, type DatabaseSyncInstance } from './driver.ts';
import { WaitingLine } from './waiting-line.ts';

async function openWithHolder(timeoutMs: number): Promise<{ database: Database; holder: DatabaseSyncInstance }> {
  const database = await openTemporary({ lock: { timeoutMs } });
  await database.write(({ connection }) => connection.exec('CREATE TABLE t (n INTEGER PRIMARY KEY)'));
  const holder = new DatabaseSync(database.path);
  holder.exec('BEGIN IMMEDIATE');
  return { database, holder };
}

const insert = (database: Database) =>
  database.write(({ connection }) => {
    connection.run('INSERT INTO t DEFAULT VALUES');
  });

test('a lock that is not free in time is STORE_BUSY, and nothing was changed', async () => {
  const { database, holder } = await openWithHolder(100);
  const started = performance.now();
  await expect(insert(database)).rejects.toMatchObject({ code: 'STORE_BUSY', kind: 'unavailable' });
  expect(performance.now() - started).toBeGreaterThanOrEqual(100);
  holder.exec('ROLLBACK');
  expect(database.all('SELECT * FROM t')).toEqual([]);
  await insert(database);
  holder.close();
});

test('the error says how many processes wait', async () => {
  const { database, holder } = await openWithHolder(400);
  const line = new WaitingLine(database.path);
  const tickets = [1, 2].map((arrived) => line.join(arrived)!);
  const refused = insert(database).catch((error: unknown) => error);
  expect(await refused).toMatchObject({
    code: 'STORE_BUSY',
    message: expect.stringContaining('3 processes wait') as string,
    details: { waiting: 3 },
  });
  for (const ticket of tickets) line.leave(ticket);
  holder.close();
});

test('a waiter stays patient while others commit', async () => {
  const { database, holder } = await openWithHolder(2_000);
  const write = insert(database);
  const started = performance.now();
  let n = 100;
  while (performance.now() - started < 5_000) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    // The waiter never gets the lock in between, because it runs in the same thread.
    holder.exec(`INSERT INTO t VALUES (${n}); COMMIT; BEGIN IMMEDIATE`);
    n += 1;
  }
  holder.exec('COMMIT');
  await write;
  expect(database.get('SELECT count(*) AS n FROM t WHERE n < 100 OR n >= ?', n)).toEqual({ n: 1 });
  holder.close();
});

test('waiting for the lock does not block the event loop, and reads go on', async () => {
  const { database, holder } = await openWithHolder(10_000);
  const write = insert(database);
  let longest = 0;
  let turns = 0;
  let last = performance.now();
  while (turns < 60) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
    turns += 1;
    expect(database.all('SELECT * FROM t')).toEqual([]);
  }
  // SQLite's own wait would block for five seconds.
  expect(longest).toBeLessThan(4_000);
  holder.exec('COMMIT');
  await write;
  expect(database.all('SELECT count(*) AS n FROM t')).toEqual([{ n: 1 }]);
  holder.close();
});

test('a lock that becomes free is taken', async () => {
  const { database, holder } = await openWithHolder(30_000);
  const write = insert(database);
  await new Promise((resolve) => setTimeout(resolve, 50));
  holder.exec('COMMIT');
  await write;
  expect(database.get('SELECT count(*) AS n FROM t')).toEqual({ n: 1 });
  holder.close();
});

test('reads keep SQLite’s own patience after the lock was tried', async () => {
  const { database, holder } = await openWithHolder(20);
  await expect(insert(database)).rejects.toMatchObject({ code: 'STORE_BUSY' });
  expect(database.get('PRAGMA busy_timeout')).toEqual({ timeout: 5_000 });
  holder.close();
});

test('two databases of one process on one file take turns', async () => {
  const first = await openTemporary();
  await first.write(({ connection }) => connection.exec('CREATE TABLE t (n INTEGER PRIMARY KEY)'));
  const second = await openTemporary({ path: first.path });
  const work = async (database: Database): Promise<void> => {
    for (let n = 0; n < 50; n++) await insert(database);
  };
  await Promise.all([work(first), work(second)]);
  expect(first.get('SELECT count(*) AS n FROM t')).toEqual({ n: 100 });
});
