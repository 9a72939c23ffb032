import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import type { Keyspace } from '@holdfast/keyspace';

import { Child } from '../lib/child.ts';
import { type Context, type Figure, quantile } from '../lib/harness.ts';
import type { Heard, IdleTime } from '../programs/watcher.ts';
import { makeTask, openOurs, sidOf } from './workload.ts';
import { addTask } from './transaction.ts';

const SID = sidOf(0);

interface Told {
  readonly called: bigint;
  readonly acknowledged: bigint;
}

/**
 * Workload: this process adds tasks in durable commits 1 to 20 ms apart; another process watches the tasks of that
 * session. Timed: from the acknowledgement here until the watcher has the decoded record, on the system's monotonic
 * clock; negative if the watcher was earlier. Also shown: the time from the call, which includes the commit, and the
 * CPU time that the system charged the watcher while nobody wrote.
 */
export async function benchmark(context: Context): Promise<readonly Figure[]> {
  const path = join(context.folder, 'watch.db');
  const keyspace = await openOurs(path);
  const watcher = await Child.start('watcher', [path, SID]);
  const figures = await watchLatencies(context, 'keyspace.watch', keyspace, watcher);
  await keyspace.close();
  const idle = await watcher.ask<IdleTime>(`idle ${context.quick ? 1_000 : 15_000}`);
  await watcher.stop();
  return [
    ...figures,
    {
      name: 'keyspace.watch.idle',
      value: (100 * idle.cpuMs) / idle.elapsedMs,
      unit: '% of a core',
      baseline: `${idle.cpuMs.toFixed(1)} ms of processor time in ${(idle.elapsedMs / 1_000).toFixed(0)} s`,
      goal: 0.5,
      better: 'lower',
    },
  ];
}

export async function watchLatencies(
  context: Context,
  name: string,
  keyspace: Keyspace,
  watcher: Child,
): Promise<Figure[]> {
  const commits = context.quick ? 50 : 2_000;
  const told = new Map<string, Told>();
  const heard = watcher.ask<Heard>(`hear ${commits}`);
  for (let n = 0; n < commits; n++) {
    const task = makeTask(n);
    const called = process.hrtime.bigint();
    await addTask(keyspace, SID, task);
    told.set(task.id, { called, acknowledged: process.hrtime.bigint() });
    await pause(1 + Math.random() * 19);
  }
  const callbacks = await heard;
  const since = (moment: keyof Told): number[] =>
    callbacks.map(({ id, at }) => Number(BigInt(at) - (told.get(id)?.[moment] ?? 0n)) / 1e6);
  if (new Set(callbacks.map(({ id }) => id)).size !== commits) throw new Error('A commit was missed or came twice');
  return [latencyFigure(`${name}.p50`, since, 0.5, 5), latencyFigure(`${name}.p99`, since, 0.99, 50)];
}

function latencyFigure(name: string, since: (moment: keyof Told) => number[], fraction: number, goal: number): Figure {
  return {
    name,
    value: quantile(since('acknowledged'), fraction),
    unit: 'ms',
    baseline: `from the call, commit included: ${quantile(since('called'), fraction).toFixed(2)} ms`,
    goal,
    better: 'lower',
  };
}
