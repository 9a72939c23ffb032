import { toTimestamp } from '@holdfast/base';
import type { Transaction } from '@holdfast/keyspace';

import { accountErrors } from '../errors.ts';
import { type RoleName, roleNames } from '../model/names.ts';
import { isActiveAdmin, type User } from '../model/user.ts';
import { recordAudit } from './audit.ts';
import { type Actor, type Dependencies, SYSTEM } from './dependencies.ts';
import { requireUser } from './find-user.ts';
import { revokeAllOf } from './sessions.ts';
import { type UserView, userView } from './views.ts';
import { users } from '../store/users.ts';

export interface SetRolesInput {
  readonly userId: string;
  readonly roles: readonly RoleName[];
  readonly actor?: Actor;
}

/** Changed roles need a new sign-in: existing sessions end; tokens follow the new roles automatically. */
export async function setRoles(dependencies: Dependencies, input: SetRolesInput): Promise<UserView> {
  const roles = parseRoles(input.roles);
  const { keyspace, clock } = dependencies;
  const user = await keyspace.transact(async (transaction) => {
    const current = await requireUser(transaction, input.userId);
    if (roles.join() === current.roles.join()) return current;
    const changed: User = { ...current, roles, updated_at: toTimestamp(clock()) };
    await refuseLosingLastAdmin(transaction, current, changed);
    await transaction.put(users, { id: current.id }, changed);
    const count = await revokeAllOf(transaction, current.id);
    const actor = input.actor ?? SYSTEM;
    recordAudit(transaction, dependencies, { type: 'roles_changed', actor, user_id: current.id, roles, count });
    return changed;
  });
  return userView(user);
}

/** Returns each role once, in the order of the role table. */
export function parseRoles(roles: readonly string[]): RoleName[] {
  const unknown = roles.some((role) => !(roleNames as readonly string[]).includes(role));
  if (unknown || roles.length === 0) throw accountErrors.ROLE_UNKNOWN('A user has one or more of admin, user, viewer');
  return roleNames.filter((role) => roles.includes(role));
}

/** Call before writing the change. */
export async function refuseLosingLastAdmin(
  transaction: Transaction,
  before: User,
  after: User | undefined,
): Promise<void> {
  if (!isActiveAdmin(before) || (after !== undefined && isActiveAdmin(after))) return;
  const admins = await transaction.list(users.by.activeRole, { role: 'admin' }, { limit: 2 });
  if (admins.some(({ id }) => id !== before.id)) return;
  throw accountErrors.LAST_ADMIN(`${before.username} is the last active administrator`);
}

export interface SetStatusInput {
  readonly userId: string;
  readonly status: User['status'];
  readonly actor?: Actor;
}

/**
 * Disabling takes effect at the next request, because every request reads the user. Sessions end for good; tokens work
 * again once the user is enabled.
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
