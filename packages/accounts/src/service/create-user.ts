import { accountErrors } from '../errors.ts';
import { newPasswordForm } from '../model/password.ts';
import type { RoleName } from '../model/names.ts';
import { ownerId } from '../store/meta.ts';
import { type Actor, type Dependencies, SYSTEM } from './dependencies.ts';
import { hashPassword, putCredential } from './hash-password.ts';
import { insertUser, parseNames, refuseTakenNames } from './insert-user.ts';
import { recordAudit } from './audit.ts';
import { parseRoles } from './set-roles.ts';
import { type UserView, userView } from './views.ts';

export interface CreateUserInput {
  readonly username: string;
  readonly email?: string | null | undefined;
  /** Left out, the user can only use tokens until a password is set. */
  readonly password?: string | undefined;
  readonly roles?: readonly RoleName[];
  readonly actor?: Actor;
}

export async function createUser(dependencies: Dependencies, input: CreateUserInput): Promise<UserView> {
  const { keyspace, newId } = dependencies;
  const names = parseNames(input);
  const roles = parseRoles(input.roles ?? ['user']);
  const password = input.password === undefined ? undefined : newPasswordForm(input.password, Object.values(names));
  // Asked before the slow part, and again in the transaction, which alone decides.
  await keyspace.transact((transaction) => refuseTakenNames(transaction, names));
  const hash = password === undefined ? undefined : await hashPassword(dependencies, password);
  const id = newId();
  const user = await keyspace.transact(async (transaction) => {
    if ((await transaction.get(ownerId, {})) === undefined) {
      throw accountErrors.SETUP_REQUIRED('The first user has to be the owner');
    }
    const made = await insertUser(transaction, dependencies, { ...names, id, roles });
    if (hash !== undefined) await putCredential(transaction, dependencies, id, hash);
    recordAudit(transaction, dependencies, { type: 'user_created', actor: input.actor ?? SYSTEM, user_id: id, roles });
    return made;
  });
  return userView(user);
}
