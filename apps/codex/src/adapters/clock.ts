/** The wall clock, in milliseconds since 1970. */
export const systemClock: () => number = Date.now;
