import { join } from 'node:path';

import type { Keyspace } from '@holdfast/keyspace';
import { postgresEngine } from '@holdfast/postgres';

import { TestServer } from '../../packages/postgres/test/server.ts';
import { addAll, CALLERS } from '../keyspace/group-commit.ts';
import { addTask } from '../keyspace/transaction.ts';
import { makeTask, openOn, openOurs, sidOf } from '../keyspace/workload.ts';
import { compare, type Context, type Figure, ratioFigure } from '../lib/harness.ts';

/**
 * Workload: the transactions of keyspace.transaction, with one caller and with 64, on a PostgreSQL server on this
 * machine that syncs every commit to the disk. Baseline: the same on SQLite with synchronous=FULL.
 */
export async function benchmark(context: Context): Promise<readonly Figure[]> {
  const server = await TestServer.start(['fsync=on']);
  const engine = await postgresEngine({ address: server.address(), space: 'bench' });
  const ours = await openOn(engine);
  const baseline = await openOurs(join(context.folder, 'sqlite.db'), 'FULL');
  try {
    return [await oneCaller(context, ours, baseline), await manyCallers(context, ours, baseline)];
  } finally {
    await ours.close();
    await baseline.close();
    await server.stop();
  }
}

async function oneCaller({ quick }: Context, ours: Keyspace, baseline: Keyspace): Promise<Figure> {
  const compared = await compare({
    operations: quick ? 20 : 50,
    rounds: quick ? 3 : 9,
    warmUpRounds: 2,
    ours: (n) => addTask(ours, sidOf(n % 100), makeTask(n)),
    baseline: (n) => addTask(baseline, sidOf(n % 100), makeTask(n)),
  });
  return ratioFigure('postgres.transaction', compared, 'SQLite, one caller', 3);
}

async function manyCallers({ quick }: Context, ours: Keyspace, baseline: Keyspace): Promise<Figure> {
  const perCaller = quick ? 3 : 10;
  // Starts at 1,000, because the benchmark with one caller has already added the first tasks.
  const add = (keyspace: Keyspace) => (round: number) => addAll(keyspace, 1_000 + round, perCaller);
  const { ratio, oursMicros, baselineMicros } = await compare({
    operations: 1,
    rounds: quick ? 3 : 9,
    warmUpRounds: 2,
    ours: add(ours),
    baseline: add(baseline),
  });
  const perSecond = (micros: number): number => Math.round((CALLERS * perCaller * 1_000_000) / micros);
  return {
    name: 'postgres.group_commit',
    value: 1 / ratio,
    unit: '×',
    baseline: `SQLite, 64 callers: ${perSecond(baselineMicros)}/s (ours ${perSecond(oursMicros)}/s)`,
    goal: 0.4,
    better: 'higher',
  };
}
