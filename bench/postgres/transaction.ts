import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Keyspace } from '@holdfast/keyspace';
import { postgresEngine } from '@holdfast/postgres';

import { Proxy } from '../../packages/postgres/test/proxy.ts';
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
  const ours = await openOn(await postgresEngine({ address: server.address(), space: 'bench' }));
  const baseline = await openOurs(join(context.folder, 'sqlite.db'), 'FULL');
  try {
    return [
      await oneCaller(context, ours, baseline),
      await manyCallers(context, ours, baseline),
      ...(await processorTime(context, server, ours, baseline)),
      ...(await roundTrips(server)),
    ];
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

// The benchmark with one caller has already used the first task numbers.
const FIRST_ROUND = 1_000;
const FIRST_ROUND_OF_PROCESSOR_TIME = 2_000;

async function manyCallers({ quick }: Context, ours: Keyspace, baseline: Keyspace): Promise<Figure> {
  const perCaller = quick ? 3 : 10;
  const add = (keyspace: Keyspace) => (round: number) => addAll(keyspace, FIRST_ROUND + round, perCaller);
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

/** CPU time in microseconds. */
interface Spent {
  readonly client: number;
  readonly server: number;
}

async function processorTime(
  { quick }: Context,
  server: TestServer,
  ours: Keyspace,
  baseline: Keyspace,
): Promise<Figure[]> {
  const perCaller = quick ? 3 : 10;
  const rounds = quick ? 3 : 9;
  const spent: Record<'ours' | 'baseline', Spent> = {
    ours: { client: 0, server: 0 },
    baseline: { client: 0, server: 0 },
  };
  for (let round = 0; round < rounds; round++) {
    for (const [name, keyspace] of [['ours', ours] as const, ['baseline', baseline] as const]) {
      const before = processorTimeNow(server);
      await addAll(keyspace, FIRST_ROUND_OF_PROCESSOR_TIME + round, perCaller);
      const after = processorTimeNow(server);
      const { client, server: atServer } = spent[name];
      spent[name] = {
        client: client + after.client - before.client,
        server: atServer + after.server - before.server,
      };
    }
  }
  const count = rounds * CALLERS * perCaller;
  const per = (micros: number): string => `${(micros / count).toFixed(0)} µs`;
  const { client, server: atServer } = spent.ours;
  const sqlite = spent.baseline.client;
  const figure = (name: string, micros: number, goal: number): Figure => ({
    name,
    value: micros / sqlite,
    unit: '×',
    baseline: `SQLite, 64 callers: ${per(sqlite)} (ours ${per(micros)})`,
    goal,
    better: 'lower',
  });
  return [figure('postgres.cpu_client', client, 2), figure('postgres.cpu_total', client + atServer, 3)];
}

function processorTimeNow({ folder }: TestServer): Spent {
  const { user, system } = process.cpuUsage();
  const main = readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0]!;
  let nanoseconds = 0;
  for (const pid of readdirSync('/proc').filter((entry) => /^[0-9]+$/.test(entry))) {
    try {
      const parent = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')[1];
      if (pid !== main && parent !== main) continue;
      nanoseconds += Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]);
    } catch {
      // The process has ended.
    }
  }
  return { client: user + system, server: nanoseconds / 1_000 };
}

const COUNTED = 20;

/** Counts round trips in a proxy between the process and the server. */
async function roundTrips(server: TestServer): Promise<Figure[]> {
  const proxy = await Proxy.start(server.port);
  const engine = await postgresEngine({ address: proxy.address, space: 'counted' });
  const keyspace = await openOn(engine);
  const count = async (purpose: string, action: (n: number) => unknown): Promise<number> => {
    let most = 0;
    for (let n = 0; n < COUNTED; n++) {
      const before = proxy.roundTrips.get(purpose) ?? 0;
      await action(n);
      most = Math.max(most, (proxy.roundTrips.get(purpose) ?? 0) - before);
      // A notification, which no commit waits for, uses the same connection as reads.
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return most;
  };
  try {
    // Opens the connection.
    await addTask(keyspace, sidOf(0), makeTask(0));
    const commit = await count('commits', (n) => addTask(keyspace, sidOf(n % 2), makeTask(n + 1)));
    const keys = Array.from({ length: 100 }, (_, n) => `key/${n}`);
    const getMany = await count('reads', () => engine.getMany(keys));
    return [
      countFigure('postgres.round_trips.commit', commit, `the most of ${COUNTED} commits`, 2),
      countFigure('postgres.round_trips.get_many', getMany, `the most of ${COUNTED} calls with 100 keys`, 1),
    ];
  } finally {
    await keyspace.close();
    await proxy.close();
  }
}

function countFigure(name: string, value: number, baseline: string, goal: number): Figure {
  return { name, value, unit: '', baseline, goal, better: 'lower' };
}
