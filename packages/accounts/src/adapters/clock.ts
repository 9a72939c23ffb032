/** Milliseconds since 1970. Only this file asks the machine for the time. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
