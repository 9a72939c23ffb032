import { toTimestamp } from '@holdfast/base';
import type { Transaction } from '@holdfast/keyspace';

import { accountErrors } from '../errors.ts';
import { isBcrypt } from '../model/hash-policy.ts';
import { foldEmail, foldUsername, parseEmail, parseUsername, type User } from '../model/user.ts';
import type { RoleName } from '../model/names.ts';
import { newPasswordForm } from '../model/password.ts';
import { recordAudit } from './audit.ts';
import { type Actor, type Dependencies, SYSTEM } from './dependencies.ts';
import { requireUser } from './find-user.ts';
import { hashPassword, putCredential } from './hash-password.ts';
import { parseRoles } from './manage-user.ts';
import { type UserView, userView } from './views.ts';
import { ownerId, users } from '../store/schema.ts';

export interface Names {
  readonly username: string;
  readonly email: string | null;
}

export function parseNames(input: { readonly username: string; readonly email?: string | null | undefined }): Names {
  return {
    username: parseUsername(input.username),
    email: input.email === undefined || input.email === null || input.email === '' ? null : parseEmail(input.email),
  };
}

/**
 * Throws an error that says which name or address is taken, unlike the error from a unique index. The reads are part of
 * the transaction, so the second of two concurrent writers retries and fails.
 */
export async function refuseTakenNames(transaction: Transaction, names: Names, own?: string): Promise<void> {
  const byName = await transaction.find(users.by.username, { lower: foldUsername(names.username) });
  if (byName !== undefined && byName.id !== own) {
    throw accountErrors.USERNAME_TAKEN(`The user name "${byName.username}" is already taken`);
  }
  if (names.email === null) return;
  const byEmail = await transaction.find(users.by.email, { lower: foldEmail(names.email) });
  if (byEmail !== undefined && byEmail.id !== own)
    throw accountErrors.EMAIL_TAKEN('Another user has this e-mail address');
}

export async function insertUser(
  transaction: Transaction,
  { clock }: Dependencies,
  user: Names & { readonly id: string; readonly roles: readonly RoleName[] },
): Promise<User> {
  await refuseTakenNames(transaction, user);
  const now = toTimestamp(clock());
  const made: User = {
    id: user.id,
    username: user.username,
    email: user.email,
    created_at: now,
    updated_at: now,
    roles: [...user.roles],
    status: 'active',
    version: 1,
  };
  await transaction.insert(users, { id: user.id }, made);
  return made;
}

export interface CreateUserInput {
  readonly username: string;
  readonly email?: string | null | undefined;
  /** Without a password, the user can only use tokens until one is set. */
  readonly password?: string | undefined;
  readonly roles?: readonly RoleName[];
  readonly actor?: Actor;
  /**
   * Only for imported users: the id by which a repeated import finds the user, and the bcrypt hash of the password.
   */
  readonly imported?: { readonly id: string; readonly passwordHash: string | null } | undefined;
}

export async function createUser(dependencies: Dependencies, input: CreateUserInput): Promise<UserView> {
  const { keyspace, newId } = dependencies;
  const names = parseNames(input);
  const roles = parseRoles(input.roles ?? ['user']);
  const password = input.password === undefined ? undefined : newPasswordForm(input.password, Object.values(names));
  // Fails before the slow hash if a name is taken; the transaction below checks again.
  await keyspace.transact((transaction) => refuseTakenNames(transaction, names));
  const { imported } = input;
  const hash =
    password === undefined ? importedHash(imported?.passwordHash) : await hashPassword(dependencies, password);
  const id = imported?.id ?? newId();
  const user = await keyspace.transact(async (transaction) => {
    if ((await transaction.get(ownerId, {})) === undefined) {
      throw accountErrors.SETUP_REQUIRED('The first user must be the owner');
    }
    const made = await insertUser(transaction, dependencies, { ...names, id, roles });
    if (hash !== undefined) await putCredential(transaction, dependencies, id, hash);
    recordAudit(transaction, dependencies, { type: 'user_created', actor: input.actor ?? SYSTEM, user_id: id, roles });
    return made;
  });
  return userView(user);
}

/** Returns the hash if it is usable; otherwise undefined, and the user gets no password. */
function importedHash(hash: string | null | undefined): string | undefined {
  return hash !== null && hash !== undefined && isBcrypt(hash) ? hash : undefined;
}

export interface UpdateUserInput {
  readonly userId: string;
  readonly username?: string | undefined;
  /** Null removes the address. */
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
