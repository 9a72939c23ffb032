import { toTimestamp } from '@holdfast/base';
import type { Transaction } from '@holdfast/keyspace';

import { accountErrors } from '../errors.ts';
import { foldEmail, parseEmail } from '../model/email.ts';
import type { RoleName } from '../model/names.ts';
import type { User } from '../model/user.ts';
import { foldUsername, parseUsername } from '../model/username.ts';
import { users } from '../store/users.ts';
import type { Dependencies } from './dependencies.ts';

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
 * Refuses names that somebody else has. The unique indexes would refuse them too; here it is said which of the two it
 * is. Reading them in the transaction is what makes one of two simultaneous writers run again and lose.
 */
export async function refuseTakenNames(transaction: Transaction, names: Names, own?: string): Promise<void> {
  const byName = await transaction.find(users.by.username, { lower: foldUsername(names.username) });
  if (byName !== undefined && byName.id !== own) {
    throw accountErrors.USERNAME_TAKEN(`There is a user "${byName.username}" already`);
  }
  if (names.email === null) return;
  const byEmail = await transaction.find(users.by.email, { lower: foldEmail(names.email) });
  if (byEmail !== undefined && byEmail.id !== own) throw accountErrors.EMAIL_TAKEN('Another user has this address');
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
