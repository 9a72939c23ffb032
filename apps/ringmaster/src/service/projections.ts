import { basename, dirname } from 'node:path';

import { fileExists, inside, pointAt, removeFile, writeProjection } from '../adapters/files.ts';
import { iterationPath } from '../model/attempt.ts';
import { attemptsOf } from '../store/attempts.ts';
import { type Iteration, iterationsOf } from '../store/iterations.ts';
import type { Ringmaster } from './ringmaster.ts';

/**
 * Writes the files that the ringmaster design document defines for a task, from the task's attempts and turns. The
 * files are for people only: no code reads them.
 */
export function writeTaskFiles(rm: Ringmaster, task: string): void {
  const attempts = attemptsOf(rm.store.reader, task).filter(({ ended_at }) => ended_at !== null);
  const turns = iterationsOf(rm.store.reader, task);
  const folder = inside(rm.workspace.filesPath, 'tasks', task);
  if (attempts.length === 0 && turns.length === 0) {
    const names = ['output.log', 'prompt.md', 'context.json', 'iterations/metadata.json'];
    for (const name of names) removeFile(inside(folder, name));
    return;
  }
  const ended = turns.filter(({ result }) => result !== null);
  const content = metadata(
    turns.length > 0
      ? ended
      : attempts.map((one) => ({
          ...one,
          result: one.outcome === 'succeeded' ? 'success' : (one.reason ?? one.outcome),
        })),
  );
  writeProjection(inside(folder, 'iterations', 'metadata.json'), `${JSON.stringify(content, null, 2)}\n`);
  const last = turns.at(-1);
  const reported = attempts.findLast(({ output_path }) => output_path !== null)?.output_path;
  const log = last === undefined ? undefined : iterationPath(task, last.number, 'log');
  pointAtLatest(rm, task, 'output.log', last !== undefined && last.ended_at === null ? log : (reported ?? log));
  pointAtLatest(rm, task, 'prompt.md', last?.prompt_path);
  pointAtLatest(rm, task, 'context.json', last?.context_path);
}

/** Makes `name` a link to the latest file of a kind; removes the link if there is no file. */
export function pointAtLatest(rm: Ringmaster, task: string, name: string, latest: string | null | undefined): void {
  const link = inside(rm.workspace.filesPath, 'tasks', task, name);
  const isThere = latest !== undefined && latest !== null && fileExists(inside(rm.workspace.filesPath, latest));
  if (isThere) pointAt(link, `${basename(dirname(latest))}/${basename(latest)}`);
  else removeFile(link);
}

type Entry = Pick<Iteration, 'number' | 'result' | 'started_at' | 'ended_at'>;

/**
 * Returns the metadata in the form of the ringmaster design document: one entry per turn, and one per attempt of an
 * external worker.
 */
function metadata(entries: readonly Entry[]): unknown {
  const iterations = entries.map((entry) => ({
    number: entry.number,
    result: entry.result,
    duration: secondsOf(entry),
  }));
  return {
    total_iterations: iterations.length,
    successful_iteration: iterations.find(({ result }) => result === 'success')?.number ?? null,
    total_duration_seconds: iterations.reduce((sum, { duration }) => sum + duration, 0),
    iterations,
  };
}

function secondsOf({ started_at, ended_at }: Entry): number {
  return Math.round((Date.parse(ended_at ?? started_at) - Date.parse(started_at)) / 1_000);
}
