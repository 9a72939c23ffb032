import type { Transaction } from '@holdfast/keyspace';

import { accountErrors } from '../errors.ts';
import { newPasswordForm } from '../model/password.ts';
import type { User } from '../model/user.ts';
import { ownerId, setupLinks } from '../store/meta.ts';
import { users } from '../store/users.ts';
import { type Actor, type Dependencies, SYSTEM } from './dependencies.ts';
import { hashPassword, putCredential } from './hash-password.ts';
import { insertUser, type Names, parseNames } from './create-user.ts';
import { recordAudit } from './audit.ts';
import { type UserView, userView } from './views.ts';

export interface CreateOwnerInput {
  readonly username: string;
  readonly email?: string | null | undefined;
  /** Without it, the owner can use tokens, and the setup link can still set a password. */
  readonly password?: string | undefined;
  readonly actor?: Actor;
}

/** Creates the first user, an administrator. Throws OWNER_EXISTS if there is one. */
export async function createOwner(dependencies: Dependencies, input: CreateOwnerInput): Promise<UserView> {
  const { keyspace, newId } = dependencies;
  const names = parseNames(input);
  const password = input.password === undefined ? undefined : newPasswordForm(input.password, Object.values(names));
  await refuseSecondOwner(keyspace);
  const hash = password === undefined ? undefined : await hashPassword(dependencies, password);
  const id = newId();
  const user = await keyspace.transact(async (transaction) => {
    await refuseSecondOwner(transaction);
    const actor = input.actor ?? SYSTEM;
    const made = await insertOwner(transaction, dependencies, { ...names, id, actor });
    if (hash !== undefined) {
      await putCredential(transaction, dependencies, id, hash);
      await transaction.delete(setupLinks, {});
    }
    return made;
  });
  return userView(user);
}

/** Returns the owner, creating one on a fresh machine. */
export async function ensureOwner(
  dependencies: Dependencies,
  input: CreateOwnerInput,
): Promise<{ readonly user: UserView; readonly created: boolean }> {
  try {
    return { user: await createOwner(dependencies, input), created: true };
  } catch (error) {
    const user = await findOwner(dependencies.keyspace);
    if (user === undefined) throw error;
    return { user: userView(user), created: false };
  }
}

type Reads = Pick<Transaction, 'get'>;

async function findOwner(reads: Reads): Promise<User | undefined> {
  const id = await reads.get(ownerId, {});
  return id === undefined ? undefined : reads.get(users, { id });
}

async function refuseSecondOwner(reads: Reads): Promise<void> {
  if ((await reads.get(ownerId, {})) !== undefined) throw accountErrors.OWNER_EXISTS('There is an owner already');
}

/** The caller has checked in the same transaction that there is no owner. */
export async function insertOwner(
  transaction: Transaction,
  dependencies: Dependencies,
  { actor, ...owner }: Names & { readonly id: string; readonly actor: Actor },
): Promise<User> {
  const user = await insertUser(transaction, dependencies, { ...owner, roles: ['admin'] });
  await transaction.put(ownerId, {}, user.id);
  recordAudit(transaction, dependencies, { type: 'owner_created', actor, user_id: user.id, roles: ['admin'] });
  return user;
}
