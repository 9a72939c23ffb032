import { basename, dirname } from 'node:path';

import { fileExists, inside, pointAt, removeFile, writeProjection } from '../adapters/files.ts';
import { type Attempt, attemptsOf } from '../store/attempts.ts';
import type { Ringmaster } from './ringmaster.ts';

/** The seed's `metadata.json` and `output.log` of a task: made from the attempts, for people; never read back. */
export function writeTaskFiles(rm: Ringmaster, task: string): void {
  const attempts = attemptsOf(rm.store.reader, task).filter(({ ended_at }) => ended_at !== null);
  const folder = inside(rm.place.filesPath, 'tasks', task);
  if (attempts.length === 0) {
    for (const name of ['output.log', 'iterations/metadata.json']) removeFile(inside(folder, name));
    return;
  }
  writeProjection(inside(folder, 'iterations', 'metadata.json'), `${JSON.stringify(metadata(attempts), null, 2)}\n`);
  const latest = attempts.findLast(({ output_path }) => output_path !== null)?.output_path;
  const isThere = latest !== undefined && latest !== null && fileExists(inside(rm.place.filesPath, latest));
  if (isThere) pointAt(inside(folder, 'output.log'), `${basename(dirname(latest))}/${basename(latest)}`);
  else removeFile(inside(folder, 'output.log'));
}

function metadata(attempts: readonly Attempt[]): unknown {
  const iterations = attempts.map((attempt) => ({
    number: attempt.number,
    result: attempt.outcome === 'succeeded' ? 'success' : (attempt.reason ?? attempt.outcome),
    duration: secondsOf(attempt),
  }));
  return {
    total_iterations: attempts.length,
    successful_iteration: attempts.find(({ outcome }) => outcome === 'succeeded')?.number ?? null,
    total_duration_seconds: iterations.reduce((sum, { duration }) => sum + duration, 0),
    iterations,
  };
}

function secondsOf({ started_at, ended_at }: Attempt): number {
  return Math.round((Date.parse(ended_at ?? started_at) - Date.parse(started_at)) / 1_000);
}
