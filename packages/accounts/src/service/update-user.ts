import { toTimestamp } from '@holdfast/base';
import type { User } from '../model/user.ts';
import { users } from '../store/users.ts';
import { type Actor, type Dependencies, SYSTEM } from './dependencies.ts';
import { requireUser } from './find-user.ts';
import { parseNames, refuseTakenNames } from './insert-user.ts';
import { recordAudit } from './audit.ts';
import { type UserView, userView } from './views.ts';

export interface UpdateUserInput {
  readonly userId: string;
  readonly username?: string | undefined;
  /** Null removes it. */
  readonly email?: string | null | undefined;
  readonly actor?: Actor;
}

export async function updateUser(dependencies: Dependencies, input: UpdateUserInput): Promise<UserView> {
  const { keyspace, clock } = dependencies;
  const user = await keyspace.transact(async (transaction) => {
    const current = await requireUser(transaction, input.userId);
    const names = parseNames({
      username: input.username ?? current.username,
      email: input.email === undefined ? current.email : input.email,
    });
    await refuseTakenNames(transaction, names, current.id);
    const changed: User = { ...current, ...names, updated_at: toTimestamp(clock()) };
    await transaction.put(users, { id: current.id }, changed);
    recordAudit(transaction, dependencies, {
      type: 'user_changed',
      actor: input.actor ?? SYSTEM,
      user_id: current.id,
    });
    return changed;
  });
  return userView(user);
}
