import { availableParallelism, loadavg } from 'node:os';

import { delay, SECOND } from '@holdfast/base';

/** A request that arrives during a pause waits for its end, so a pause is short. */
const PAUSE_MAX_MS = SECOND / 5;

/** Waits after a part of an import. Resolves at once if the machine has processors to spare. */
export type ImportPause = (workedMs: number) => Promise<void>;

export const importPause: ImportPause = (workedMs) => delay(pauseAfter(workedMs, loadavg()[0] ?? 0));

/** While more programs want to run than the machine has processors, an import rests as long as it has worked. */
export function pauseAfter(workedMs: number, load: number, processors: number = availableParallelism()): number {
  return load > processors ? Math.min(workedMs, PAUSE_MAX_MS) : 0;
}
