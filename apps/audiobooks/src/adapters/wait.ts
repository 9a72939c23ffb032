import { setTimeout } from 'node:timers/promises';

/** Waits, or stops waiting at once when told to. */
export async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  await setTimeout(milliseconds, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
