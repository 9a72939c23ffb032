import { HOUR, MINUTE, SECOND, toTimestamp } from '@holdfast/base';
import { z } from 'zod';

import { isFromTheFuture, moment } from './time.ts';

/**
 * Slows down failed sign-ins without letting anyone lock a user out.
 *
 * There are three counters. `pair` counts failures per account *and* place, so attempts from another place do not delay
 * the user. `source` counts failures per place, to slow down guessing across many accounts. `known` counts failures for
 * one browser that has signed in before. After some free attempts each failure doubles the delay, up to a maximum.
 * Stored under `thr:{kind}:{id}`, so a restart resets nothing.
 */
export const throttleSchema = z.object({
  kind: z.enum(['pair', 'source', 'known']),
  id: z.string(),
  failures: z.int().min(0),
  failed_at: moment.nullable(),
  /** Time of the last successful sign-in, after which this place counts as known to the account. */
  succeeded_at: moment.nullable(),
  expires_at: moment,
  version: z.literal(1),
});

export type Throttle = Readonly<z.infer<typeof throttleSchema>>;
export type ThrottleKind = Throttle['kind'];

interface Rule {
  readonly free: number;
  readonly firstPauseMs: number;
  readonly pauseMaxMs: number;
  readonly forgottenAfterMs: number;
}

const common = { firstPauseMs: SECOND, pauseMaxMs: 15 * MINUTE, forgottenAfterMs: HOUR };
const rules: Readonly<Record<ThrottleKind, Rule>> = {
  pair: { ...common, free: 5 },
  known: { ...common, free: 5 },
  source: { ...common, free: 20 },
};

const KNOWN_PLACE_MS: number = 30 * 24 * HOUR;

/** Returns the delay after this many failures in a row. */
export function pauseAfter(kind: ThrottleKind, failures: number): number {
  const { free, firstPauseMs, pauseMaxMs } = rules[kind];
  if (failures <= free) return 0;
  return Math.min(pauseMaxMs, firstPauseMs * 2 ** Math.min(failures - free - 1, 30));
}

/**
 * Returns the remaining delay. Ignores a failure dated in the future: it comes from a wrong clock and would block
 * sign-ins for too long.
 */
export function remainingPause(throttle: Throttle | undefined, now: number): number {
  if (throttle === undefined || throttle.failed_at === null) return 0;
  const failedAt = Date.parse(throttle.failed_at);
  if (isFromTheFuture(failedAt, now)) return 0;
  return Math.max(0, failedAt + pauseAfter(throttle.kind, throttle.failures) - now);
}

export function isKnownPlace(throttle: Throttle | undefined, now: number): boolean {
  if (throttle === undefined || throttle.succeeded_at === null) return false;
  return now < Date.parse(throttle.succeeded_at) + KNOWN_PLACE_MS;
}

/** Adds one failure. Called before the password is checked, so that concurrent attempts all count. */
export function countFailure(kind: ThrottleKind, id: string, throttle: Throttle | undefined, now: number): Throttle {
  return make(kind, id, currentFailures(throttle, now) + 1, now, throttle?.succeeded_at ?? null);
}

/** Subtracts one failure: the password was correct, or was never checked. Returns undefined when none is left. */
export function takeBack(throttle: Throttle): Throttle | undefined {
  if (throttle.failures <= 1 && throttle.succeeded_at === null) return undefined;
  return { ...throttle, failures: Math.max(0, throttle.failures - 1) };
}

export function countSuccess(kind: ThrottleKind, id: string, now: number): Throttle {
  return make(kind, id, 0, null, toTimestamp(now));
}

function make(
  kind: ThrottleKind,
  id: string,
  failures: number,
  failedAt: number | null,
  succeededAt: string | null,
): Throttle {
  const forgottenAt = failedAt === null ? 0 : failedAt + rules[kind].forgottenAfterMs;
  const unknownAt = succeededAt === null ? 0 : Date.parse(succeededAt) + KNOWN_PLACE_MS;
  return {
    kind,
    id,
    failures,
    failed_at: failedAt === null ? null : toTimestamp(failedAt),
    succeeded_at: succeededAt,
    expires_at: toTimestamp(Math.max(forgottenAt, unknownAt)),
    version: 1,
  };
}

function currentFailures(throttle: Throttle | undefined, now: number): number {
  if (throttle === undefined || throttle.failed_at === null) return 0;
  const isForgotten = now >= Date.parse(throttle.failed_at) + rules[throttle.kind].forgottenAfterMs;
  return isForgotten ? 0 : throttle.failures;
}
