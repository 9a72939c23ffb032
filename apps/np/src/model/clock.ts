import { toTimestamp } from '@holdfast/base';
import { npErrors } from './errors.ts';

/** Returns a time as RFC 3339. Keys store times in nanoseconds, which cover the years 1970 to 2554. */
export function toTime(milliseconds: number): string {
  const isPossible = milliseconds >= 0 && BigInt(Math.trunc(milliseconds)) * 1_000_000n < NANOSECONDS_END;
  if (isPossible) return toTimestamp(milliseconds);
  throw npErrors.CLOCK_WRONG(`The system clock is set to a time ${milliseconds < 0 ? 'before 1970' : 'after 2554'}.`);
}

/** Keeps digits below a millisecond, because a program with a finer clock may have written them. */
export function toNanoseconds(time: string): bigint {
  const fraction = /\.(\d+)/u.exec(time)?.[1] ?? '';
  const seconds = BigInt(Math.floor(Date.parse(time) / 1_000));
  return seconds * 1_000_000_000n + BigInt(fraction.padEnd(9, '0').slice(0, 9));
}

const NANOSECONDS_END = 2n ** 64n;

/** Returns whether a time can be part of a key: it must be valid and between 1970 and 2554. */
export function isKeyTime(time: string): boolean {
  if (Number.isNaN(Date.parse(time))) return false;
  const nanoseconds = toNanoseconds(time);
  return nanoseconds >= 0n && nanoseconds < NANOSECONDS_END;
}
