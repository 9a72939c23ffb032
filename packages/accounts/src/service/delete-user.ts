import { replies } from '../store/replies.ts';
import { devices, sessions } from '../store/sessions.ts';
import { tokens } from '../store/tokens.ts';
import { credentials, users } from '../store/users.ts';
import { type Actor, type Dependencies, SYSTEM } from './dependencies.ts';
import { requireUser } from './find-user.ts';
import { recordAudit } from './audit.ts';
import { refuseLosingLastAdmin } from './set-roles.ts';

export interface DeleteUserInput {
  readonly userId: string;
  readonly actor?: Actor;
}

/**
 * Deletes the user with everything that belongs to them in one commit. Limits per kind and the short life of replies
 * keep it small.
 */
export async function deleteUser(dependencies: Dependencies, input: DeleteUserInput): Promise<void> {
  await dependencies.keyspace.transact(async (transaction) => {
    const user = await requireUser(transaction, input.userId);
    const { id } = user;
    await refuseLosingLastAdmin(transaction, user, undefined);
    for (const session of await transaction.list(sessions.by.user, { user_id: id })) {
      await transaction.delete(sessions, { id: session.id });
    }
    for (const device of await transaction.list(devices.by.user, { user_id: id })) {
      await transaction.delete(devices, { id: device.id });
    }
    for (const token of await transaction.list(tokens.by.user, { user_id: id })) {
      await transaction.delete(tokens, { id: token.id });
    }
    for (const { key } of await transaction.entries(replies, { user_id: id })) {
      await transaction.delete(replies, key);
    }
    await transaction.delete(credentials, { id });
    await transaction.delete(users, { id });
    recordAudit(transaction, dependencies, { type: 'user_deleted', actor: input.actor ?? SYSTEM, user_id: id });
  });
}
