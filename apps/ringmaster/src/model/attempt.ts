import { DAY, SECOND, toTimestamp } from '@holdfast/base';

import type { Config } from './config.ts';
import { ringmasterErrors } from './errors.ts';

/** Results that a worker can report for its task. */
export const reportStatuses = ['completed', 'failed', 'review', 'blocked', 'released'] as const;
export type ReportStatus = (typeof reportStatuses)[number];

/** Only failures of class `task` count towards `max_attempts`. */
export const failureClasses = ['task', 'infrastructure', 'rate_limit', 'cancelled'] as const;
export type FailureClass = (typeof failureClasses)[number];

/** Problems of a worker's service or program, not of a task. The worker gets no tasks until the problem may be over. */
export const parkKinds = [
  'rate_limited',
  'overloaded',
  'unreachable',
  'logged_out',
  'no_credit',
  'not_started',
  'missing',
] as const;
export type ParkKind = (typeof parkKinds)[number];

/** Problems that pass without a person. */
export const passingProblems: ReadonlySet<ParkKind> = new Set(['rate_limited', 'overloaded', 'unreachable']);

/**
 * Returns the delay before a retry: by default 30 s, 60 s, 120 s … up to an hour, plus up to 20 % at random to spread
 * retries.
 */
export function retryDelaySeconds(
  failures: number,
  {
    retry_base_seconds: base,
    retry_max_seconds: max,
  }: Pick<Config['queue'], 'retry_base_seconds' | 'retry_max_seconds'>,
  random: () => number,
): number {
  return Math.min(max, base * 2 ** Math.max(0, failures - 1)) * (1 + 0.2 * random());
}

/** A longer lease is probably a typo, and its end may not be a valid date. */
const LEASE_MAX = 3_650 * DAY;

/** Returns the time at which a lease granted at `now` expires. */
export function leaseEnd(now: string, seconds: number): string {
  const milliseconds = seconds * SECOND;
  if (milliseconds > LEASE_MAX) throw ringmasterErrors.TEXT_INVALID(`A lease of ${seconds} seconds is too long`);
  return toTimestamp(Date.parse(now) + milliseconds);
}

/**
 * Returns the path of a turn's file below the files path. The number has at least three digits, as in the ringmaster
 * design document.
 */
export function iterationPath(task: string, number: number, kind: 'log' | 'prompt.md' | 'context.json'): string {
  return `tasks/${task}/iterations/${String(number).padStart(3, '0')}.${kind}`;
}
