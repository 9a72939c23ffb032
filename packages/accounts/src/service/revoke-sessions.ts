import type { Transaction } from '@holdfast/keyspace';

import { devices, sessions } from '../store/sessions.ts';
import { type Actor, type Dependencies, SYSTEM } from './dependencies.ts';
import { recordAudit } from './audit.ts';

export interface RevokeSessionsInput {
  readonly userId: string;
  /** The session that asks stays, if it is given. */
  readonly exceptSessionId?: string | undefined;
  readonly actor?: Actor;
}

/** "Sign out everywhere". Returns how many sessions ended. */
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

/** Browsers are forgotten too: one of them may be in wrong hands. */
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
