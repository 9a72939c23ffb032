import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

import { TestServer } from '../../packages/postgres/test/server.ts';
import { startServer } from '../hub/served.ts';
import type { Context, Figure } from '../lib/harness.ts';

const CALM_MS = 5_000;

/** Workload: the built server, which nobody uses, with accounts, np and audiobooks in PostgreSQL. */
export async function benchmark({ quick, folder }: Context): Promise<readonly Figure[]> {
  const server = await TestServer.start(['fsync=on']);
  const milliseconds = quick ? 1_000 : 60_000;
  const served = await startServer(folder, { HOLDFAST_STORE: server.address() });
  try {
    await pause(CALM_MS);
    const before = processorTimeOf(served.pid);
    await pause(milliseconds);
    const spent = processorTimeOf(served.pid) - before;
    const [row] = await server.run(
      `SELECT count(*)::int FROM pg_stat_activity WHERE application_name LIKE 'holdfast%'`,
    );
    const connections = Number(row?.[0]);
    return [
      {
        name: 'postgres.idle.cpu',
        value: (100 * spent) / milliseconds,
        unit: '% of a core',
        baseline: `${spent.toFixed(1)} ms of processor time in ${milliseconds / 1_000} s`,
        goal: 0.1,
        better: 'lower',
      },
      {
        name: 'postgres.idle.connections',
        value: connections,
        unit: '',
        baseline: 'connections of a server with three applications',
        goal: 6,
        better: 'lower',
      },
    ];
  } finally {
    await served.stop();
    await server.stop();
  }
}

/** Returns the CPU time of all threads, in milliseconds. */
function processorTimeOf(pid: number): number {
  let nanoseconds = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    nanoseconds += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
  }
  return nanoseconds / 1e6;
}
