import { expect, test } from 'vitest';

import { startProgram } from '../test/child.ts';
import { openTemporary } from '../test/temporary.ts';
import type { Database } from './database.ts';

const NEVER = 2 ** 30;

async function openTable(): Promise<Database> {
  const database = await openTemporary({ signal: { pollMs: NEVER } });
  await database.write(({ connection }) => connection.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, v)'));
  return database;
}

test('a commit of another process is told well within a second, without a poll', async () => {
  const database = await openTable();
  const writer = startProgram('commit', [database.path]);
  await writer.line('ready');
  let told: { revision: number; at: number } = { revision: 0, at: 0 };
  const stop = database.onChange(() => {
    const revision = database.revision();
    if (revision !== told.revision) told = { revision, at: performance.now() };
  });
  const delays: number[] = [];
  for (let n = 0; n < 30; n++) {
    writer.say(String(n));
    const revision = Number((await writer.line(`committed ${n} `)).split(' ')[2]);
    const committed = performance.now();
    while (told.revision < revision) {
      expect(performance.now() - committed, `commit ${n}`).toBeLessThan(5_000);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    delays.push(told.at - committed);
  }
  stop();
  delays.sort((left, right) => left - right);
  expect(delays[15], 'the median in ms').toBeLessThan(500);
  expect(delays.at(-1), 'the longest in ms').toBeLessThan(3_000);
});

test.each(['close', 'unsubscribe'])('a process that listened can end after "%s"', async (how) => {
  const database = await openTable();
  const child = startProgram('listen-once', [database.path, how], { limitMs: 20_000 });
  expect(await child.ended).toMatchObject({ code: 0, signal: null, lines: ['heard'] });
});
