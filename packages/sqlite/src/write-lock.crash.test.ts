import { expect, test } from 'vitest';

import { startProgram } from '../test/child.ts';
import { openTemporary } from '../test/temporary.ts';
import type { Database } from './database.ts';

const PROCESSES = 4;
/** Shares vary, and on a busy machine two seconds contain too few commits to judge. */
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
