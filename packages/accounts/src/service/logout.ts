import { hashSecret } from '../model/secret.ts';
import { sessions } from '../store/sessions.ts';
import type { Dependencies } from './dependencies.ts';
import { recordAudit } from './audit.ts';

/** Ends the session of this token. One that is over already is no error: the result is what was wanted. */
export async function logout(dependencies: Dependencies, token: string): Promise<void> {
  await dependencies.keyspace.transact(async (transaction) => {
    const session = await transaction.find(sessions.by.hash, { token_hash: hashSecret(token) });
    if (session === undefined) return;
    const { id, user_id } = session;
    await transaction.put(sessions, { id }, { ...session, revoked: true });
    recordAudit(transaction, dependencies, { type: 'logout', actor: user_id, user_id, session_id: id });
  });
}
