import { toTimestamp } from '@holdfast/base';
import type { Transaction } from '@holdfast/keyspace';

import { accountErrors } from '../errors.ts';
import { type RoleName, roleNames } from '../model/names.ts';
import { isActiveAdmin, type User } from '../model/user.ts';
import { credentials, devices, identities, replies, sessions, snoozes, tokens, users } from '../store/schema.ts';
import { recordAudit } from './audit.ts';
import { type Actor, type Dependencies, SYSTEM } from './dependencies.ts';
import { requireUser } from './find-user.ts';
import { revokeAllOf } from './sessions.ts';
import { type UserView, userView } from './views.ts';

interface SetRolesInput {
  readonly userId: string;
  readonly roles: readonly RoleName[];
  readonly actor?: Actor;
}

/**
 * Sets the roles and ends all sessions of the user, so that new roles require a new sign-in. For tokens, the new roles
 * apply immediately.
 */
export async function setRoles(dependencies: Dependencies, input: SetRolesInput): Promise<UserView> {
  const roles = parseRoles(input.roles);
  const user = await dependencies.keyspace.transact(async (transaction) => {
    const current = await requireUser(transaction, input.userId);
    return changeRoles(transaction, dependencies, current, roles, input.actor ?? SYSTEM);
  });
  return userView(user);
}

export async function changeRoles(
  transaction: Transaction,
  dependencies: Dependencies,
  current: User,
  roles: RoleName[],
  actor: Actor,
): Promise<User> {
  if (roles.join() === current.roles.join()) return current;
  const changed: User = { ...current, roles, updated_at: toTimestamp(dependencies.clock()) };
  await refuseLosingLastAdmin(transaction, dependencies, current, changed);
  await transaction.put(users, { id: current.id }, changed);
  const count = await revokeAllOf(transaction, current.id);
  recordAudit(transaction, dependencies, { type: 'roles_changed', actor, user_id: current.id, roles, count });
  return changed;
}

/** Returns each role once, in the order of the role table. */
export function parseRoles(roles: readonly string[]): RoleName[] {
  const unknown = roles.some((role) => !(roleNames as readonly string[]).includes(role));
  if (unknown || roles.length === 0)
    throw accountErrors.ROLE_UNKNOWN('A user must have at least one of the roles admin, user and viewer');
  return roleNames.filter((role) => roles.includes(role));
}

/** Must be called before the change is written. */
async function refuseLosingLastAdmin(
  transaction: Transaction,
  { onUnreadable }: Dependencies,
  before: User,
  after: User | undefined,
): Promise<void> {
  if (!isActiveAdmin(before) || (after !== undefined && isActiveAdmin(after))) return;
  // Leaves out administrators with a damaged record, because they cannot sign in.
  const admins = await transaction.leavingOut(onUnreadable).list(users.by.activeRole, { role: 'admin' }, { limit: 2 });
  if (admins.some(({ id }) => id !== before.id)) return;
  throw accountErrors.LAST_ADMIN(`${before.username} is the last active administrator`);
}

interface SetStatusInput {
  readonly userId: string;
  readonly status: User['status'];
  readonly actor?: Actor;
}

/** Disabling takes effect at the next request. It ends all sessions; tokens work again when the user is enabled. */
export async function setStatus(dependencies: Dependencies, input: SetStatusInput): Promise<UserView> {
  const { keyspace, clock } = dependencies;
  const user = await keyspace.transact(async (transaction) => {
    const current = await requireUser(transaction, input.userId);
    if (current.status === input.status) return current;
    const changed: User = { ...current, status: input.status, updated_at: toTimestamp(clock()) };
    await refuseLosingLastAdmin(transaction, dependencies, current, changed);
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

interface DeleteUserInput {
  readonly userId: string;
  readonly actor?: Actor;
}

/**
 * Deletes the user and all their data in one commit. The commit stays small, because every kind of data has a limit and
 * replies expire soon.
 */
export async function deleteUser(dependencies: Dependencies, input: DeleteUserInput): Promise<void> {
  await dependencies.keyspace.transact(async (transaction) => {
    const user = await requireUser(transaction, input.userId);
    const { id } = user;
    await refuseLosingLastAdmin(transaction, dependencies, user, undefined);
    for (const session of await transaction.list(sessions.by.user, { user_id: id })) {
      await transaction.delete(sessions, { id: session.id });
    }
    for (const device of await transaction.list(devices.by.user, { user_id: id })) {
      await transaction.delete(devices, { id: device.id });
    }
    for (const token of await transaction.list(tokens.by.user, { user_id: id })) {
      await transaction.delete(tokens, { id: token.id });
    }
    for (const identity of await transaction.list(identities.by.user, { user_id: id })) {
      await transaction.delete(identities, { id: identity.id });
    }
    for (const { key } of await transaction.entries(replies, { user_id: id })) {
      await transaction.delete(replies, key);
    }
    for (const { key } of await transaction.entries(snoozes, { user_id: id })) {
      await transaction.delete(snoozes, key);
    }
    await transaction.delete(credentials, { id });
    await transaction.delete(users, { id });
    recordAudit(transaction, dependencies, { type: 'user_deleted', actor: input.actor ?? SYSTEM, user_id: id });
  });
}
