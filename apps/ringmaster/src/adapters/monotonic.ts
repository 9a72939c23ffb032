/** Milliseconds that only ever grow: a clock that is set must not end anybody's work. */
export const monotonicClock: () => number = () => performance.now();
