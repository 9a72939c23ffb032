import { expect, test, vi } from 'vitest';

import { openTemporary } from '../test/temporary.ts';
import { ChangeSignal, defaultSignal } from './watch-commits.ts';
import { Connection } from './connection.ts';
import type { Database } from './database.ts';

const NEVER = 2 ** 30;
const SOON_MS = 10_000;

async function openTable(): Promise<Database> {
  const database = await openTemporary({ signal: { pollMs: NEVER } });
  await database.write(({ connection }) => connection.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, v)'));
  return database;
}

const add = (database: Database) =>
  database.write(({ connection }) => {
    connection.run('INSERT INTO t (v) VALUES (1)');
  });

async function isSoon(isTrue: () => boolean): Promise<boolean> {
  const started = performance.now();
  while (!isTrue()) {
    if (performance.now() - started > SOON_MS) return false;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return true;
}

/** Lets pending file system events arrive. */
const quiet = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 120));

test('a commit of one’s own is told at once', async () => {
  const database = await openTable();
  let heard = 0;
  const stop = database.onChange(() => (heard += 1));
  await add(database);
  expect(heard).toBe(1);
  stop();
});

test('a commit of another connection is told without waiting for the poll', async () => {
  const database = await openTable();
  const other = await openTemporary({ path: database.path });
  let heard = 0;
  const stop = database.onChange(() => (heard += 1));
  for (let n = 1; n <= 10; n++) {
    const before = heard;
    await add(other);
    expect(await isSoon(() => heard > before)).toBe(true);
  }
  stop();
});

test('when a listener is told, the change is there to be read', async () => {
  const database = await openTable();
  const other = await openTemporary({ path: database.path });
  let seen = 0;
  const stop = database.onChange(() => (seen = database.revision()));
  const { revision } = await add(other);
  expect(await isSoon(() => seen === revision)).toBe(true);
  stop();
});

test('a commit that comes while a listener is being told is not lost', async () => {
  const database = await openTable();
  const other = await openTemporary({ path: database.path });
  let seen = 0;
  let more = 5;
  let last = 0;
  const stop = database.onChange(() => {
    seen = database.revision();
    if (more === 0) return;
    more -= 1;
    void add(other).then(({ revision }) => (last = revision));
  });
  await add(other);
  expect(await isSoon(() => more === 0 && last > 0 && seen === last)).toBe(true);
  stop();
});

test('the slow poll finds what the file system did not tell', async () => {
  const database = await openTemporary({ signal: { pollMs: 20, lookAgainMs: [] } });
  await database.write(({ connection }) => connection.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, v)'));
  const other = await openTemporary({ path: database.path });
  let seen = 0;
  const stop = database.onChange(() => (seen = database.revision()));
  for (let n = 0; n < 5; n++) {
    const { revision } = await add(other);
    expect(await isSoon(() => seen === revision)).toBe(true);
  }
  stop();
});

test('a write that is rolled back by another wakes nobody', async () => {
  const database = await openTable();
  const other = await openTemporary({ path: database.path });
  await quiet();
  let heard = 0;
  const stop = database.onChange(() => (heard += 1));
  await expect(
    other.write(({ connection }) => {
      connection.run('INSERT INTO t (v) VALUES (1)');
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  await quiet();
  expect(heard).toBe(0);
  stop();
});

test('an unsubscribed listener is not told, the others are; unsubscribing twice is harmless', async () => {
  const database = await openTable();
  const heard = { first: 0, second: 0 };
  const stopFirst = database.onChange(() => (heard.first += 1));
  const stopSecond = database.onChange(() => (heard.second += 1));
  await add(database);
  stopFirst();
  stopFirst();
  await add(database);
  expect(heard).toEqual({ first: 1, second: 2 });
  stopSecond();
});

test('the same function may subscribe twice', async () => {
  const database = await openTable();
  let heard = 0;
  const listener = (): void => void (heard += 1);
  const stops = [database.onChange(listener), database.onChange(listener)];
  await add(database);
  expect(heard).toBe(2);
  stops[0]!();
  await add(database);
  expect(heard).toBe(3);
  stops[1]!();
});

test('after everybody left, a new listener works', async () => {
  const database = await openTable();
  const other = await openTemporary({ path: database.path });
  database.onChange(() => undefined)();
  let heard = 0;
  const stop = database.onChange(() => (heard += 1));
  await add(other);
  expect(await isSoon(() => heard > 0)).toBe(true);
  stop();
});

test('the log file may disappear with the last other connection and come back', async () => {
  const database = await openTable();
  let seen = 0;
  const stop = database.onChange(() => (seen = database.revision()));
  for (let n = 0; n < 3; n++) {
    database.get('PRAGMA wal_checkpoint(TRUNCATE)');
    const other = await openTemporary({ path: database.path });
    const { revision } = await add(other);
    expect(await isSoon(() => seen === revision)).toBe(true);
    await other.close();
  }
  stop();
});

test('a thousand commits of another, with nobody slowing it down, end with the last one seen', async () => {
  const database = await openTable();
  const other = await openTemporary({ path: database.path, synchronous: 'OFF' });
  let seen = 0;
  let told = 0;
  const stop = database.onChange(() => {
    told += 1;
    seen = database.revision();
  });
  let last = 0;
  for (let n = 0; n < 1_000; n++) last = (await add(other)).revision;
  expect(await isSoon(() => seen === last)).toBe(true);
  expect(told).toBeLessThanOrEqual(1_001);
  stop();
});

test('an idle listener reads the version once per poll', async () => {
  const { path } = await openTemporary();
  const connection = new Connection(path);
  const reads = vi.spyOn(connection, 'prepareArrays');
  const pollMs = 50;
  const signal = new ChangeSignal(connection, { ...defaultSignal, pollMs });
  const started = performance.now();
  const stop = signal.subscribe(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, 20 * pollMs));
  const polls = Math.floor((performance.now() - started) / pollMs);
  stop();
  // One read on subscription, then at most one per poll (timers count from the start of the turn).
  expect(reads.mock.calls.length).toBeGreaterThan(1);
  expect(reads.mock.calls.length).toBeLessThanOrEqual(2 + polls);
  connection.close();
});
