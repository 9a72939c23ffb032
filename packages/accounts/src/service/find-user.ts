import { isUlid, type Page, type Reads } from '@holdfast/keyspace';

import { accountErrors } from '../errors.ts';
import { foldEmail, foldUsername, type User } from '../model/user.ts';
import type { Role } from '../model/role.ts';
import type { Dependencies } from './dependencies.ts';
import { type UserView, userView } from './views.ts';
import { roles, users } from '../store/schema.ts';

/** Longer than any name or address. */
const TYPED_MAX = 320;

/** Finds a user by name or e-mail address. Names contain no `@`, so the two cannot be confused. */
export async function findByTypedName(reads: Reads, typed: string): Promise<User | undefined> {
  if (typed.length > TYPED_MAX || !typed.isWellFormed()) return undefined;
  return typed.includes('@')
    ? reads.find(users.by.email, { lower: foldEmail(typed.trim()) })
    : reads.find(users.by.username, { lower: foldUsername(typed) });
}

/** Finds a user by id, name or e-mail address, for the command line. */
export async function findUser({ keyspace }: Dependencies, typed: string): Promise<UserView> {
  const byId = isUlid(typed) ? await keyspace.get(users, { id: typed }) : undefined;
  const user = byId ?? (await findByTypedName(keyspace, typed));
  if (user === undefined) throw accountErrors.USER_NOT_FOUND('There is no such user');
  return userView(user);
}

/** Returns the user or throws USER_NOT_FOUND. */
export async function requireUser(reads: Reads, id: string): Promise<User> {
  const user = isUlid(id) ? await reads.get(users, { id }) : undefined;
  if (user === undefined) throw accountErrors.USER_NOT_FOUND('There is no such user');
  return user;
}

export interface PageInput {
  readonly limit?: number;
  readonly cursor?: string | undefined;
}

const LIMIT_MAX = 500;

/** Limits the page size that a client can request. */
export function pageOptions({ limit = 100, cursor }: PageInput): { limit: number; cursor: string | undefined } {
  return { limit: Math.min(LIMIT_MAX, Math.max(1, Math.trunc(limit))), cursor };
}

/** Lists users in order of creation. */
export async function listUsers({ reader }: Dependencies, input: PageInput = {}): Promise<Page<UserView>> {
  const { items, cursor } = await reader.page(users, {}, pageOptions(input));
  return { items: items.map(userView), cursor };
}

export async function listRoles({ reader }: Dependencies): Promise<readonly Role[]> {
  return reader.list(roles, {});
}
