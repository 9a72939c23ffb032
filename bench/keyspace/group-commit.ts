import { join } from 'node:path';

import type { Keyspace } from '@holdfast/keyspace';

import { compare, type Context, type Figure } from '../lib/harness.ts';
import { makeTask, openOurs, sidOf } from './workload.ts';
import { addTask } from './transaction.ts';

export const CALLERS = 64;

/**
 * Workload: 64 callers in one process, each adding tasks one after the other to its own session, as in
 * keyspace.transaction. Baseline: the same with synchronous=OFF, where a commit waits for no disk. Timed: from the
 * first call until every commit is acknowledged.
 */
export async function benchmark(context: Context): Promise<readonly Figure[]> {
  const durable = await openOurs(join(context.folder, 'durable.db'), 'FULL');
  const withoutDisk = await openOurs(join(context.folder, 'without-disk.db'), 'OFF');
  const perCaller = context.quick ? 3 : 25;
  const { ratio, oursMicros, baselineMicros } = await compare({
    operations: 1,
    rounds: context.quick ? 3 : 15,
    warmUpRounds: 4,
    ours: (round) => addAll(durable, round, perCaller),
    baseline: (round) => addAll(withoutDisk, round, perCaller),
  });
  await durable.close();
  await withoutDisk.close();
  const perSecond = (micros: number): number => Math.round((CALLERS * perCaller * 1_000_000) / micros);
  return [
    {
      name: 'keyspace.group_commit',
      // `ratio` compares times; transactions per second are the inverse.
      value: 1 / ratio,
      unit: '×',
      baseline: `the same with synchronous=OFF: ${perSecond(baselineMicros)}/s (ours ${perSecond(oursMicros)}/s)`,
      goal: 0.6,
      better: 'higher',
    },
  ];
}

export async function addAll(keyspace: Keyspace, round: number, perCaller: number): Promise<void> {
  await Promise.all(
    Array.from({ length: CALLERS }, async (_, caller) => {
      const first = (round * CALLERS + caller) * perCaller;
      for (let n = first; n < first + perCaller; n++) await addTask(keyspace, sidOf(caller), makeTask(n));
    }),
  );
}
