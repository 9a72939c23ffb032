/** Milliseconds. Code that needs the time takes a clock, so that tests can set it. */
export type Clock = () => number;

/** The wall clock, since 1970 in UTC. */
export const systemClock: Clock = Date.now;

/** Only ever grows: setting the wall clock must not end anybody's work. */
export const monotonicClock: Clock = () => performance.now();

/** How long the machine has been awake since it started: the same in all processes, and it stops while it sleeps. */
export const awakeClock: Clock = () => Number(process.hrtime.bigint() / 1_000_000n);

/** UTC with milliseconds, so that the order of texts is the order of times: 2026-01-26T10:00:00.000Z. */
export function toTimestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
