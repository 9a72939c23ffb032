import { z } from 'zod';

import type { Settings } from './limits.ts';
import { isFromTheFuture, moment } from './time.ts';

/** Stored under `sess:{id}`. The id only names the session; the token that opens it is stored as a hash. */
export const sessionSchema = z.object({
  id: z.ulid(),
  user_id: z.ulid(),
  token_hash: z.hex().length(64),
  created_at: moment,
  last_seen_at: moment,
  /** Time at which the session ends even if it is in use. */
  expires_at: moment,
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
 * Returns whether the session is valid now. Applies the stricter of the current limits and those at creation, so new
 * settings take effect immediately. Returns false if the clock was set back, because the session would otherwise
 * outlive its limit.
 */
export function isLive(session: Session, settings: Settings, now: number): boolean {
  const createdAt = Date.parse(session.created_at);
  const lastSeenAt = Date.parse(session.last_seen_at);
  if (session.revoked || isFromTheFuture(createdAt, now) || isFromTheFuture(lastSeenAt, now)) return false;
  const endsAt = Math.min(createdAt + settings.sessionAbsoluteMs, lastSeenAt + settings.sessionIdleMs);
  return now < Math.min(expiryOf(session), endsAt);
}

/**
 * Stored under `dev:{id}`: a browser that has signed in as this user before. Its secret does not sign anyone in. It
 * gives the browser its own counter for failed attempts, so strangers who guess passwords cannot lock the user out
 * (OWASP: "Slow Down Online Guessing Attacks with Device Cookies").
 */
export const deviceSchema = z.object({
  id: z.ulid(),
  user_id: z.ulid(),
  token_hash: z.hex().length(64),
  created_at: moment,
  expires_at: moment,
  version: z.literal(1),
});
