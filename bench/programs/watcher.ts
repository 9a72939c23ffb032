/** Watches the tasks of a session in its own process. Arguments: database file or PostgreSQL address, session. */
import { setTimeout as pause } from 'node:timers/promises';

import { postgresEngine } from '@holdfast/postgres';

import { openOn, openOurs, tasks } from '../keyspace/workload.ts';
import { answerQuestions } from '../lib/child.ts';

/** Received records with their monotonic time in nanoseconds, as text because messages have no bigints. */
export type Heard = readonly { readonly id: string; readonly at: string }[];

export interface IdleTime {
  readonly cpuMs: number;
  readonly elapsedMs: number;
}

/** Pause before the measurement, long enough for garbage collection and compilation to end. */
const CALM_MS = 1_000;

const [path, sid] = process.argv.slice(2) as [string, string];
const isFile = !path.startsWith('postgres://');
const keyspace = isFile ? await openOurs(path) : await openOn(await postgresEngine({ address: path, space: 'bench' }));
const commits = keyspace.watch(tasks, { sid });
answerQuestions((question) => {
  const [verb, amount] = question.split(' ');
  return verb === 'hear' ? hear(Number(amount)) : idle(Number(amount));
});

async function hear(count: number): Promise<Heard> {
  const heard: { id: string; at: string }[] = [];
  while (heard.length < count) {
    const { value } = await commits.next();
    const at = String(process.hrtime.bigint());
    for (const { after } of value?.changes ?? []) if (after !== undefined) heard.push({ id: after.id, at });
  }
  return heard;
}

async function idle(milliseconds: number): Promise<IdleTime> {
  // Keeps the watch active; nobody commits, so the promise stays pending.
  void commits.next();
  await pause(CALM_MS);
  const before = process.cpuUsage();
  const started = performance.now();
  await pause(milliseconds);
  const { user, system } = process.cpuUsage(before);
  return { cpuMs: (user + system) / 1_000, elapsedMs: performance.now() - started };
}
