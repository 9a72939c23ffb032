import { accountErrors } from '../errors.ts';
import { hashSecret } from '../model/secret.ts';
import { isLive, type Session } from '../model/session.ts';
import { sessions } from '../store/sessions.ts';
import { type Dependencies, newSecret } from './dependencies.ts';
import { recordAudit } from './audit.ts';
import { type SessionView, sessionView } from './views.ts';

export interface Rotated {
  readonly session: SessionView;
  readonly token: string;
}

/**
 * Gives a session another token; the old one is refused from that commit on. The session keeps its age, so that
 * changing tokens does not make it live longer.
 */
export async function rotateSession(dependencies: Dependencies, oldToken: string): Promise<Rotated> {
  const { keyspace, clock, settings } = dependencies;
  const token = newSecret(dependencies, 'session');
  const session = await keyspace.transact(async (transaction) => {
    const current = await transaction.find(sessions.by.hash, { token_hash: hashSecret(oldToken) });
    if (current === undefined || !isLive(current, settings, clock())) {
      throw accountErrors.SESSION_INVALID('This session is not valid');
    }
    const { id, user_id } = current;
    const rotated: Session = { ...current, token_hash: hashSecret(token) };
    await transaction.put(sessions, { id }, rotated);
    recordAudit(transaction, dependencies, { type: 'session_rotated', actor: user_id, user_id, session_id: id });
    return rotated;
  });
  return { session: sessionView(session), token };
}
