import { toTimestamp } from '@holdfast/base';
import type { Settings } from '../model/limits.ts';
import { isLive, type Session } from '../model/session.ts';
import type { Token } from '../model/token.ts';
import { sessions } from '../store/sessions.ts';
import { tokens } from '../store/tokens.ts';
import type { Dependencies } from './dependencies.ts';

/**
 * Records that a session or token is in use, at most once a minute, in the background. The transaction checks the
 * interval again, because other processes record it too.
 */

export function touchSession(dependencies: Dependencies, seen: Session): void {
  const { keyspace, clock, settings, background } = dependencies;
  if (!isDue(seen.last_seen_at, settings, clock())) return;
  background.run(`session ${seen.id}`, () =>
    keyspace.transact(async (transaction) => {
      const now = clock();
      const session = await transaction.get(sessions, { id: seen.id });
      if (session === undefined || !isLive(session, settings, now)) return;
      if (!isDue(session.last_seen_at, settings, now)) return;
      const idleEnd = Math.min(now + settings.sessionIdleMs, Date.parse(session.expires_at));
      const touched = { ...session, last_seen_at: toTimestamp(now), idle_expires_at: toTimestamp(idleEnd) };
      await transaction.put(sessions, { id: seen.id }, touched);
    }),
  );
}

export function touchToken(dependencies: Dependencies, used: Token): void {
  const { keyspace, clock, settings, background } = dependencies;
  if (!isDue(used.last_used_at, settings, clock())) return;
  background.run(`token ${used.id}`, () =>
    keyspace.transact(async (transaction) => {
      const now = clock();
      const token = await transaction.get(tokens, { id: used.id });
      if (token === undefined || !isDue(token.last_used_at, settings, now)) return;
      await transaction.put(tokens, { id: used.id }, { ...token, last_used_at: toTimestamp(now) });
    }),
  );
}

function isDue(last: string | null, { touchEveryMs }: Settings, now: number): boolean {
  return last === null || now - Date.parse(last) >= touchEveryMs;
}
