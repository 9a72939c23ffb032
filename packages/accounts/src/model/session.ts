import { z } from 'zod';

import type { Settings } from './limits.ts';
import { isFromTheFuture, moment } from './time.ts';

/** Stored under `sess:{id}`. The id names a session and opens nothing; the token that opens it is kept as a hash. */
export const sessionSchema = z.object({
  id: z.ulid(),
  user_id: z.ulid(),
  token_hash: z.hex().length(64),
  created_at: moment,
  last_seen_at: moment,
  /** The latest moment it can live to, used or not. */
  expires_at: moment,
  /** When it ends if nobody uses it again. */
  idle_expires_at: moment,
  ip: z.string(),
  user_agent: z.string(),
  revoked: z.boolean(),
  version: z.literal(1),
});

export type Session = Readonly<z.infer<typeof sessionSchema>>;

export function expiryOf(session: Session): number {
  return Math.min(Date.parse(session.expires_at), Date.parse(session.idle_expires_at));
}

/**
 * True if the session is valid now. The current limits count as well as those it was created with, so that
 * stricter settings take effect at once; and a clock that was set back ends it, because it would live longer than
 * configured.
 */
export function isLive(session: Session, settings: Settings, now: number): boolean {
  const createdAt = Date.parse(session.created_at);
  const lastSeenAt = Date.parse(session.last_seen_at);
  if (session.revoked || isFromTheFuture(createdAt, now) || isFromTheFuture(lastSeenAt, now)) return false;
  const endsAt = Math.min(createdAt + settings.sessionAbsoluteMs, lastSeenAt + settings.sessionIdleMs);
  return now < Math.min(expiryOf(session), endsAt);
}

/**
 * Stored under `dev:{id}`: a browser that has signed in as this user before. Its secret opens nothing. It only gives
 * the browser a count of failed attempts of its own, so that strangers who guess passwords, from the same address or
 * not, cannot keep the user out (OWASP: "Slow Down Online Guessing Attacks with Device Cookies").
 */
export const deviceSchema = z.object({
  id: z.ulid(),
  user_id: z.ulid(),
  token_hash: z.hex().length(64),
  created_at: moment,
  expires_at: moment,
  version: z.literal(1),
});
