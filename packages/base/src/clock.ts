/** Milliseconds. Code that needs the time takes a clock, so that tests can set it. */
export type Clock = () => number;

/** The wall clock, since 1970 in UTC. */
export const systemClock: Clock = Date.now;

/** Monotonic: setting the wall clock must not end anything. */
export const monotonicClock: Clock = () => performance.now();

/** Time the machine has been awake since boot: the same in all processes, and paused during sleep. */
export const awakeClock: Clock = () => Number(process.hrtime.bigint() / 1_000_000n);

/** UTC with milliseconds, so text order is time order: 2026-01-26T10:00:00.000Z. */
export function toTimestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
