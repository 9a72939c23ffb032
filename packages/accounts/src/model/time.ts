import { MINUTE } from '@holdfast/base';
import { z } from 'zod';

/** An RFC 3339 time in UTC. */
export const moment: z.ZodISODateTime = z.iso.datetime();

/** The clock may be set back by this much without ending sessions. */
const CLOCK_STEP_MAX_MS: number = 2 * MINUTE;

/**
 * Returns whether a stored time is in the future, which means that the clock was or is wrong. A lifetime that starts in
 * the future would last too long, so callers must not rely on such a time.
 */
export function isFromTheFuture(storedMilliseconds: number, nowMilliseconds: number): boolean {
  return storedMilliseconds > nowMilliseconds + CLOCK_STEP_MAX_MS;
}

interface Lifetime {
  readonly created_at: string;
  readonly expires_at: string;
}

/**
 * True until expiry. False if the creation time is in the future: the clock was wrong then, so the stored expiry is too
 * late.
 */
export function isWithinLifetime({ created_at: createdAt, expires_at: expiresAt }: Lifetime, now: number): boolean {
  return now < Date.parse(expiresAt) && !isFromTheFuture(Date.parse(createdAt), now);
}
