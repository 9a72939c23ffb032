import { toTimestamp } from '@holdfast/base';
import { isUlid, type Transaction } from '@holdfast/keyspace';

import { accountErrors } from '../errors.ts';
import { limits } from '../model/limits.ts';
import { hashSecret } from '../model/secret.ts';
import { isLive, type Session } from '../model/session.ts';
import type { CleanSource } from '../model/source.ts';
import { devices, sessions } from '../store/schema.ts';
import { recordAudit } from './audit.ts';
import { type Actor, type Dependencies, SYSTEM } from './dependencies.ts';
import { type SessionView, sessionView, type UserView } from './views.ts';

/** Result of a sign-in, with the only copies of both secrets. */
export interface SignedIn {
  readonly user: UserView;
  readonly session: SessionView;
  readonly token: string;
  /** Value of a long-lived cookie that marks a known browser; undefined when the browser already has one. */
  readonly deviceToken: string | undefined;
}

/** Always creates a new session. A token from before the sign-in must never become valid (session fixation). */
export async function startSession(
  transaction: Transaction,
  { clock, settings, onUnreadable }: Dependencies,
  start: { readonly id: string; readonly userId: string; readonly token: string; readonly source: CleanSource },
): Promise<Session> {
  const now = clock();
  const session: Session = {
    id: start.id,
    user_id: start.userId,
    token_hash: hashSecret(start.token),
    created_at: toTimestamp(now),
    last_seen_at: toTimestamp(now),
    expires_at: toTimestamp(now + settings.sessionAbsoluteMs),
    idle_expires_at: toTimestamp(now + Math.min(settings.sessionIdleMs, settings.sessionAbsoluteMs)),
    ip: start.source.ip,
    user_agent: start.source.userAgent,
    revoked: false,
    version: 1,
  };
  const others = await transaction.leavingOut(onUnreadable).list(sessions.by.user, { user_id: start.userId });
  for (const { id } of others.slice(0, Math.max(0, others.length - limits.sessionsPerUser + 1))) {
    await transaction.delete(sessions, { id });
  }
  await transaction.insert(sessions, { id: session.id }, session);
  return session;
}

/** Records a browser after a sign-in with the correct password. */
export async function rememberDevice(
  transaction: Transaction,
  { clock, settings, onUnreadable }: Dependencies,
  device: { readonly id: string; readonly userId: string; readonly token: string },
): Promise<void> {
  const now = clock();
  const others = await transaction.leavingOut(onUnreadable).list(devices.by.user, { user_id: device.userId });
  for (const { id } of others.slice(0, Math.max(0, others.length - limits.devicesPerUser + 1))) {
    await transaction.delete(devices, { id });
  }
  await transaction.insert(
    devices,
    { id: device.id },
    {
      id: device.id,
      user_id: device.userId,
      token_hash: hashSecret(device.token),
      created_at: toTimestamp(now),
      expires_at: toTimestamp(now + settings.deviceMs),
      version: 1,
    },
  );
}

/** Lists valid sessions, oldest first. */
export async function listSessions(
  { reader, clock, settings }: Dependencies,
  userId: string,
): Promise<readonly SessionView[]> {
  const all = await reader.list(sessions.by.user, { user_id: userId });
  return all.filter((session) => isLive(session, settings, clock())).map(sessionView);
}

interface RevokeSessionInput {
  /** Owner of the session; without this check, one user could end another's sessions. */
  readonly userId: string;
  readonly sessionId: string;
  readonly actor?: Actor;
}

export async function revokeSession(dependencies: Dependencies, input: RevokeSessionInput): Promise<void> {
  const { sessionId: id, userId } = input;
  await dependencies.keyspace.transact(async (transaction) => {
    const session = isUlid(id) ? await transaction.get(sessions, { id }) : undefined;
    if (session === undefined || session.user_id !== userId || session.revoked) {
      throw accountErrors.SESSION_NOT_FOUND('There is no such session');
    }
    await transaction.put(sessions, { id }, { ...session, revoked: true });
    const actor = input.actor ?? SYSTEM;
    recordAudit(transaction, dependencies, { type: 'session_revoked', actor, user_id: userId, session_id: id });
  });
}

interface RevokeSessionsInput {
  readonly userId: string;
  /** The caller's session, which is not revoked. */
  readonly exceptSessionId?: string | undefined;
  readonly actor?: Actor;
}

/** Ends all sessions of the user except `exceptSessionId`; returns the number of ended sessions. */
export async function revokeSessions(dependencies: Dependencies, input: RevokeSessionsInput): Promise<number> {
  return dependencies.keyspace.transact(async (transaction) => {
    const count = await revokeAllOf(transaction, input.userId, input.exceptSessionId);
    recordAudit(transaction, dependencies, {
      type: 'sessions_revoked',
      actor: input.actor ?? SYSTEM,
      user_id: input.userId,
      count,
    });
    return count;
  });
}

/**
 * Also forgets the user's known browsers, because one of them may belong to an attacker. Throws if the record of a
 * session or browser is damaged, because a repair could make the record valid again.
 */
export async function revokeAllOf(transaction: Transaction, userId: string, exceptId?: string): Promise<number> {
  let count = 0;
  for (const session of await transaction.list(sessions.by.user, { user_id: userId })) {
    if (session.revoked || session.id === exceptId) continue;
    await transaction.put(sessions, { id: session.id }, { ...session, revoked: true });
    count += 1;
  }
  for (const device of await transaction.list(devices.by.user, { user_id: userId })) {
    await transaction.delete(devices, { id: device.id });
  }
  return count;
}

/** Ends the session of this token; does nothing if it has already ended. */
export async function logout(dependencies: Dependencies, token: string): Promise<void> {
  await dependencies.keyspace.transact(async (transaction) => {
    const session = await transaction.find(sessions.by.hash, { token_hash: hashSecret(token) });
    if (session === undefined) return;
    const { id, user_id } = session;
    await transaction.put(sessions, { id }, { ...session, revoked: true });
    recordAudit(transaction, dependencies, { type: 'logout', actor: user_id, user_id, session_id: id });
  });
}
