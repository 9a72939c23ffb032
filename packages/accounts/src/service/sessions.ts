import { isUlid, type Transaction } from '@holdfast/keyspace';

import { accountErrors } from '../errors.ts';
import { hashSecret } from '../model/secret.ts';
import { isLive } from '../model/session.ts';
import { recordAudit } from './audit.ts';
import { type Actor, type Dependencies, SYSTEM } from './dependencies.ts';
import { type SessionView, sessionView } from './views.ts';
import { devices, sessions } from '../store/sessions.ts';

/** Lists valid sessions, oldest first. */
export async function listSessions(
  { keyspace, clock, settings }: Dependencies,
  userId: string,
): Promise<readonly SessionView[]> {
  const all = await keyspace.list(sessions.by.user, { user_id: userId });
  return all.filter((session) => isLive(session, settings, clock())).map(sessionView);
}

export interface RevokeSessionInput {
  /** Owner of the session: without this check one user could end another's sessions. */
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

export interface RevokeSessionsInput {
  readonly userId: string;
  /** The caller's session, which stays. */
  readonly exceptSessionId?: string | undefined;
  readonly actor?: Actor;
}

/** Signs out everywhere. Returns the number of ended sessions. */
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

/** Forgets known browsers too: one of them may be in the wrong hands. */
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

/** Ends the session of this token. An ended session is not an error. */
export async function logout(dependencies: Dependencies, token: string): Promise<void> {
  await dependencies.keyspace.transact(async (transaction) => {
    const session = await transaction.find(sessions.by.hash, { token_hash: hashSecret(token) });
    if (session === undefined) return;
    const { id, user_id } = session;
    await transaction.put(sessions, { id }, { ...session, revoked: true });
    recordAudit(transaction, dependencies, { type: 'logout', actor: user_id, user_id, session_id: id });
  });
}
