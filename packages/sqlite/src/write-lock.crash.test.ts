import { existsSync, readdirSync } from 'node:fs';

import { expect, test, vi } from 'vitest';

import { startProgram } from '../test/child.ts';
import { openTemporary } from '../test/temporary.ts';
import type { Database } from './database.ts';
import { DatabaseSync } from './driver.ts';

const PROCESSES = 4;
/**
 * The number of commits per process varies. On a busy machine, two seconds contain too few commits for a verdict, so a
 * longer round follows.
 */
const ROUNDS_MS = [2_000, 6_000];

async function openCounter(): Promise<Database> {
  const database = await openTemporary();
  await database.write(({ connection }) =>
    connection.exec(`
      CREATE TABLE counter (id INTEGER PRIMARY KEY, n INTEGER NOT NULL);
      CREATE TABLE owners (id INTEGER PRIMARY KEY, owner TEXT NOT NULL);
      INSERT INTO counter VALUES (1, 0);
    `),
  );
  return database;
}

/** Returns the number of acknowledged commits per process. */
async function race(path: string, round: number, milliseconds: number): Promise<Map<string, number>> {
  const names = Array.from({ length: PROCESSES }, (_, index) => `round ${round}, process ${index}`);
  const children = names.map((name) => startProgram('count', [path, name, String(milliseconds)]));
  await Promise.all(children.map((child) => child.line('ready')));
  for (const child of children) child.say('go');
  const done = await Promise.all(children.map((child) => child.line('done')));
  return new Map(names.map((name, index) => [name, Number(done[index]!.split(' ')[1])]));
}

test('four processes that write flat out get a fair share each, and no addition is lost', async () => {
  const database = await openCounter();
  const told = new Map<string, number>();
  const smallestShares: number[] = [];
  for (const [round, milliseconds] of ROUNDS_MS.entries()) {
    const counts = await race(database.path, round, milliseconds);
    for (const [name, count] of counts) told.set(name, count);
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
    smallestShares.push(Math.min(...counts.values()) / (total / PROCESSES));
    if (smallestShares.at(-1)! >= 0.5) break;
  }
  const owners = database.all<{ owner: string; n: number }>('SELECT owner, count(*) AS n FROM owners GROUP BY owner');
  expect(new Map(owners.map(({ owner, n }) => [owner, n]))).toEqual(told);
  const total = [...told.values()].reduce((sum, count) => sum + count, 0);
  expect(database.get('SELECT n FROM counter')).toEqual({ n: total });
  expect(Math.max(...smallestShares), JSON.stringify([...told])).toBeGreaterThanOrEqual(0.5);
});

const CROWD = 12;
/** The first four in line retry at the same time, so a process may get the lock up to three places too early. */
const TOO_EARLY = 4;

test('a crowd gets the lock in the order of arrival, and a killed process holds nobody up', async () => {
  const database = await openCounter();
  const names = Array.from({ length: CROWD }, (_, index) => `process ${index}`);
  const children = names.map((name) => startProgram('count', [database.path, name, '1']));
  await Promise.all(children.map((child) => child.line('ready')));
  const holder = new DatabaseSync(database.path);
  holder.exec('BEGIN IMMEDIATE');
  const waiting = () => (existsSync(`${database.path}-queue`) ? readdirSync(`${database.path}-queue`).length : 0);
  for (const [index, child] of children.entries()) {
    child.say('go');
    await vi.waitUntil(() => waiting() === index + 1, { timeout: 60_000 });
  }
  await children[0]!.kill();
  holder.exec('COMMIT');
  holder.close();
  await Promise.all(children.slice(1).map((child) => child.line('done')));
  const order = database.all<{ owner: string }>('SELECT owner FROM owners ORDER BY id').map(({ owner }) => owner);
  const places = names.slice(1).map((name) => order.indexOf(name));
  expect(new Set(order)).toEqual(new Set(names.slice(1)));
  for (const [arrived, place] of places.entries()) expect(place, order.join()).toBeGreaterThan(arrived - TOO_EARLY);
  expect(existsSync(`${database.path}-queue`)).toBe(false);
});
