import { availableParallelism, loadavg } from 'node:os';

import { delay, SECOND } from '@holdfast/base';

const PAUSE_MAX_MS = 2 * SECOND;
const LOOK_EVERY_MS = 50;

/** Waits after a part of an import. Ends early if `isInterrupted` returns true. */
export type ImportPause = (workedMs: number, isInterrupted: () => boolean) => Promise<void>;

export const importPause: ImportPause = (workedMs, isInterrupted) =>
  pauseUnless(pauseAfter(workedMs, loadavg()[0] ?? 0), isInterrupted);

/** If more programs want to run than the machine has CPU cores, an import rests for as long as it has worked. */
export function pauseAfter(workedMs: number, load: number, processors: number = availableParallelism()): number {
  return load > processors ? Math.min(workedMs, PAUSE_MAX_MS) : 0;
}

export async function pauseUnless(milliseconds: number, isInterrupted: () => boolean): Promise<void> {
  const end = performance.now() + milliseconds;
  for (let left = milliseconds; left > 0 && !isInterrupted(); left = end - performance.now()) {
    await delay(Math.min(left, LOOK_EVERY_MS));
  }
}
