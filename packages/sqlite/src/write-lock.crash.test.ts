import { expect, test } from 'vitest';

import { startProgram } from '../test/child.ts';
import { openTemporary } from '../test/temporary.ts';

const PROCESSES = 4;
const RUN_MS = 2_000;

test('four processes that write flat out get a fair share each, and no addition is lost', async () => {
  const database = await openTemporary();
  await database.write(({ connection }) =>
    connection.exec(`
      CREATE TABLE counter (id INTEGER PRIMARY KEY, n INTEGER NOT NULL);
      CREATE TABLE owners (id INTEGER PRIMARY KEY, owner TEXT NOT NULL);
      INSERT INTO counter VALUES (1, 0);
    `),
  );
  const names = Array.from({ length: PROCESSES }, (_, index) => `p${index}`);
  const children = names.map((name) => startProgram('count', [database.path, name, String(RUN_MS)]));
  await Promise.all(children.map((child) => child.line('ready')));
  for (const child of children) child.say('go');
  const done = (await Promise.all(children.map((child) => child.line('done')))).map((line) => line.split(' '));
  const counts = done.map(([, count]) => Number(count));
  const total = counts.reduce((sum, count) => sum + count, 0);
  const fairShare = total / PROCESSES;

  const owners = database.all<{ owner: string; n: number }>(
    'SELECT owner, count(*) AS n FROM owners GROUP BY owner ORDER BY owner',
  );
  expect(database.get('SELECT n FROM counter')).toEqual({ n: total });
  expect(owners.map(({ n }) => n)).toEqual(counts);
  expect(Math.min(...counts), `commits per process: ${counts.join(', ')}`).toBeGreaterThanOrEqual(fairShare * 0.5);
  const longest = Math.max(...done.map(([, , wait]) => Number(wait)));
  expect(longest, 'the longest wait in ms').toBeLessThan(RUN_MS);
});
