import { toTimestamp } from '@holdfast/base';
import type { User } from '../model/user.ts';
import { users } from '../store/users.ts';
import { type Actor, type Dependencies, SYSTEM } from './dependencies.ts';
import { requireUser } from './find-user.ts';
import { recordAudit } from './audit.ts';
import { revokeAllOf } from './revoke-sessions.ts';
import { refuseLosingLastAdmin } from './set-roles.ts';
import { type UserView, userView } from './views.ts';

export interface SetStatusInput {
  readonly userId: string;
  readonly status: User['status'];
  readonly actor?: Actor;
}

/**
 * Disabling refuses everything from the next request on, because every request reads the user. Sessions end for good;
 * tokens are kept, and work again when the user is enabled.
 */
export async function setStatus(dependencies: Dependencies, input: SetStatusInput): Promise<UserView> {
  const { keyspace, clock } = dependencies;
  const user = await keyspace.transact(async (transaction) => {
    const current = await requireUser(transaction, input.userId);
    if (current.status === input.status) return current;
    const changed: User = { ...current, status: input.status, updated_at: toTimestamp(clock()) };
    await refuseLosingLastAdmin(transaction, current, changed);
    await transaction.put(users, { id: current.id }, changed);
    if (input.status === 'disabled') await revokeAllOf(transaction, current.id);
    recordAudit(transaction, dependencies, {
      type: input.status === 'disabled' ? 'user_disabled' : 'user_enabled',
      actor: input.actor ?? SYSTEM,
      user_id: current.id,
    });
    return changed;
  });
  return userView(user);
}
