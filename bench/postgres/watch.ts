import { setTimeout as pause } from 'node:timers/promises';

import { postgresEngine } from '@holdfast/postgres';

import { TestServer } from '../../packages/postgres/test/server.ts';
import { watchLatencies } from '../keyspace/watch.ts';
import { addTask } from '../keyspace/transaction.ts';
import { makeTask, openOn, sidOf } from '../keyspace/workload.ts';
import { Child } from '../lib/child.ts';
import type { Context, Figure } from '../lib/harness.ts';
import type { Heard } from '../programs/watcher.ts';

const SID = sidOf(0);
const END_LISTENING = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE application_name = 'holdfast listens'`;

/**
 * Workload and times as in keyspace.watch, on a PostgreSQL server on this machine. Also timed: a commit right after the
 * server has ended the watcher's connection for notifications.
 */
export async function benchmark(context: Context): Promise<readonly Figure[]> {
  const server = await TestServer.start(['fsync=on']);
  const address = server.address();
  const keyspace = await openOn(await postgresEngine({ address, space: 'bench' }));
  const watcher = await Child.start('watcher', [address, SID]);
  try {
    const figures = await watchLatencies(context, 'postgres.watch', keyspace, watcher);
    const rounds = context.quick ? 1 : 10;
    let longest = 0;
    for (let round = 0; round < rounds; round++) {
      await pause(1_500);
      await server.run(END_LISTENING);
      const heard = watcher.ask<Heard>('hear 1');
      await addTask(keyspace, SID, makeTask(1_000_000 + round));
      const acknowledged = process.hrtime.bigint();
      const [first] = await heard;
      longest = Math.max(longest, Number(BigInt(first!.at) - acknowledged) / 1e6);
    }
    const lost: Figure = {
      name: 'postgres.watch.after_lost_listen',
      value: longest,
      unit: 'ms',
      baseline: `the longest of ${rounds} times`,
      goal: 1_200,
      better: 'lower',
    };
    return [...figures, lost];
  } finally {
    await watcher.stop();
    await keyspace.close();
    await server.stop();
  }
}
