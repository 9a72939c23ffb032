import { isUlid } from '@holdfast/keyspace';

import { accountErrors } from '../errors.ts';
import { sessions } from '../store/sessions.ts';
import { type Actor, type Dependencies, SYSTEM } from './dependencies.ts';
import { recordAudit } from './audit.ts';

export interface RevokeSessionInput {
  /** Whose session it must be: the id alone is not enough, or one user could end the sessions of another. */
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
