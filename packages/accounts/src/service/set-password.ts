import { newPasswordForm } from '../model/password.ts';
import { type Actor, type Dependencies, SYSTEM } from './dependencies.ts';
import { requireUser } from './find-user.ts';
import { hashPassword, putCredential } from './hash-password.ts';
import { recordAudit } from './audit.ts';
import { revokeAllOf } from './sessions.ts';

export interface SetPasswordInput {
  readonly userId: string;
  readonly password: string;
  readonly actor?: Actor;
}

/** For administrators and the command line: needs no old password, and ends all sessions. */
export async function setPassword(dependencies: Dependencies, input: SetPasswordInput): Promise<void> {
  const { keyspace } = dependencies;
  const { username, email } = await requireUser(keyspace, input.userId);
  const hash = await hashPassword(dependencies, newPasswordForm(input.password, [username, email]));
  await keyspace.transact(async (transaction) => {
    const { id } = await requireUser(transaction, input.userId);
    await putCredential(transaction, dependencies, id, hash);
    const count = await revokeAllOf(transaction, id);
    const actor = input.actor ?? SYSTEM;
    recordAudit(transaction, dependencies, { type: 'password_changed', actor, user_id: id, count });
  });
}
