/** Durations in milliseconds. */
export const SECOND = 1_000;
export const MINUTE: number = 60 * SECOND;
export const HOUR: number = 60 * MINUTE;
export const DAY: number = 24 * HOUR;

export const KIBIBYTE = 1_024;
export const MEBIBYTE: number = 1_024 * KIBIBYTE;

/** Returns milliseconds. Code that needs the time takes a clock, so that tests can set it. */
export type Clock = () => number;

/** The wall clock is wrong if it shows a time before this version was written. */
export const EARLIEST_NOW: number = Date.UTC(2026, 10, 1);

/** The wall clock: milliseconds since 1970 in UTC. */
export const systemClock: Clock = Date.now;

/**
 * Milliseconds for measuring durations; unaffected when the wall clock is set. Does not use `performance.now()`,
 * because loading node:perf_hooks takes a millisecond.
 */
export const monotonicClock: Clock = () => Number(process.hrtime.bigint()) / 1_000_000;

/** Milliseconds that the machine has been awake since boot: the same in all processes, and paused during sleep. */
export const awakeClock: Clock = () => Number(process.hrtime.bigint() / 1_000_000n);

/** UTC with milliseconds, so text order is time order: 2026-01-26T10:00:00.000Z. */
export function toTimestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/**
 * Resolves after the delay or when aborted; never rejects. With `keepsAlive` false, a pending delay does not keep the
 * process alive.
 */
export function delay(milliseconds: number, signal?: AbortSignal, keepsAlive = true): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    if (!keepsAlive) timer.unref();
    signal?.addEventListener('abort', end);
  });
}
