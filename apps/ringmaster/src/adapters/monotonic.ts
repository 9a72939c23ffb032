/** Milliseconds that only ever grow: a clock that is set must not end anybody's work. */
export const monotonicClock: () => number = () => performance.now();

/**
 * Milliseconds for which the machine has been awake since it started: the same in all its processes, unlike the clock above,
 * and it stands still while the machine sleeps.
 */
export const awakeClock: () => number = () => Number(process.hrtime.bigint() / 1_000_000n);
