import { readFileSync, writeFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { openTemporary } from '../test/temporary.ts';
import type { Database } from './database.ts';
import type { Snapshot } from './snapshot-pool.ts';

async function openNumbers(): Promise<Database> {
  const database = await openTemporary();
  await database.write(({ connection }) => connection.exec('CREATE TABLE numbers (n INTEGER PRIMARY KEY)'));
  return database;
}

const add = (database: Database) =>
  database.write(({ connection }) => {
    connection.run('INSERT INTO numbers DEFAULT VALUES');
  });

const count = ({ connection }: Snapshot): number =>
  connection.get<{ n: number }>('SELECT count(*) AS n FROM numbers')!.n;

test('a snapshot stays at its state while others commit', async () => {
  const database = await openNumbers();
  await add(database);
  const snapshot = database.snapshot();
  const { revision } = snapshot;
  for (let n = 0; n < 5; n++) {
    await add(database);
    expect(count(snapshot)).toBe(1);
  }
  expect(snapshot.revision).toBe(revision);
  expect(database.revision()).toBe(revision + 5);
  snapshot.release();
});

test('each snapshot is at the revision it names, whatever came later', async () => {
  const database = await openNumbers();
  const snapshots: Snapshot[] = [];
  for (let n = 0; n < 12; n++) {
    await add(database);
    snapshots.push(database.snapshot());
  }
  expect(snapshots.map(count)).toEqual(Array.from({ length: 12 }, (_, n) => n + 1));
  for (const snapshot of snapshots.toReversed()) snapshot.release();
});

test('a snapshot sees everything that was acknowledged before it', async () => {
  const database = await openNumbers();
  const kept: Snapshot[] = [];
  for (let n = 1; n <= 20; n++) {
    const { revision } = await add(database);
    const snapshot = database.snapshot();
    expect([snapshot.revision, count(snapshot)]).toEqual([revision, n]);
    // Keeps some snapshots in use and returns others to the pool.
    if (n % 3 === 0) kept.push(snapshot);
    else snapshot.release();
  }
  for (const snapshot of kept) snapshot.release();
});

test('a snapshot sees what another process, seen as another database, committed', async () => {
  const database = await openNumbers();
  const other = await openTemporary({ path: database.path });
  database.snapshot().release();
  const held = database.snapshot();
  await add(other);
  const snapshot = database.snapshot();
  expect([count(held), count(snapshot)]).toEqual([0, 1]);
  held.release();
  snapshot.release();
});

test('readers that start while nothing changes share one connection; the first that comes later gets another', async () => {
  const database = await openNumbers();
  const first = database.snapshot();
  const second = database.snapshot();
  expect(second.connection).toBe(first.connection);
  await add(database);
  const third = database.snapshot();
  expect(third.connection).not.toBe(first.connection);
  first.release();
  expect(count(second)).toBe(0);
  second.release();
  expect(count(third)).toBe(1);
  third.release();
});

test('releasing twice counts once', async () => {
  const database = await openNumbers();
  const first = database.snapshot();
  const second = database.snapshot();
  first.release();
  first.release();
  await add(database);
  expect(count(second)).toBe(0);
  second.release();
});

test('a released connection is used again, at the state as it is then', async () => {
  const database = await openNumbers();
  const first = database.snapshot();
  first.release();
  await add(database);
  const second = database.snapshot();
  expect(second.connection).toBe(first.connection);
  expect(count(second)).toBe(1);
  second.release();
});

test('a released snapshot no longer keeps the log from starting anew', async () => {
  const database = await openNumbers();
  const checkpoint = (): number =>
    database.get<{ log: number; checkpointed: number }>('PRAGMA wal_checkpoint(PASSIVE)')!.checkpointed;
  const snapshot = database.snapshot();
  await add(database);
  await add(database);
  const held = checkpoint();
  snapshot.release();
  expect(checkpoint()).toBeGreaterThan(held);
});

test('releasing after the database was closed is harmless', async () => {
  const database = await openNumbers();
  const snapshot = database.snapshot();
  await database.close();
  expect(() => snapshot.release()).not.toThrow();
});

test('releasing a snapshot of a damaged file does not hide the error of the read', async () => {
  const database = await openNumbers();
  const { path } = database;
  for (let n = 0; n < 50; n++) await add(database);
  const { page } = database.get<{ page: number }>("SELECT rootpage AS page FROM sqlite_schema WHERE name = 'numbers'")!;
  const { page_size: size } = database.get<{ page_size: number }>('PRAGMA page_size')!;
  database.get('PRAGMA wal_checkpoint(TRUNCATE)');
  await database.close();
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(0xa5, (page - 1) * size, page * size));
  const damaged = await openTemporary({ path });
  const snapshot = damaged.snapshot();
  expect(() => count(snapshot)).toThrow(expect.objectContaining({ code: 'STORE_CORRUPT' }));
  expect(() => snapshot.release()).not.toThrow();
});
