import { MINUTE } from '@holdfast/base';
import { z } from 'zod';

/** RFC 3339 in UTC with milliseconds, as everything here stores moments. */
export const moment: z.ZodISODateTime = z.iso.datetime();

/** Clock corrections up to this size end no session. */
const CLOCK_STEP_MAX_MS: number = 2 * MINUTE;

/**
 * True if a stored time lies in the future: the clock was wrong then, or is wrong now. A lifetime that
 * began in the future would last longer than configured, so nothing that depends on time may be trusted then.
 */
export function isFromTheFuture(storedMilliseconds: number, nowMilliseconds: number): boolean {
  return storedMilliseconds > nowMilliseconds + CLOCK_STEP_MAX_MS;
}

interface Lifetime {
  readonly created_at: string;
  readonly expires_at: string;
}

/** True between start and end; a wrong clock must not extend it. */
export function isWithinLifetime({ created_at: createdAt, expires_at: expiresAt }: Lifetime, now: number): boolean {
  return now < Date.parse(expiresAt) && !isFromTheFuture(Date.parse(createdAt), now);
}
