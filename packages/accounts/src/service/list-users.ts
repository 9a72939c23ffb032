import type { Page } from '@holdfast/keyspace';

import { users } from '../store/users.ts';
import type { Dependencies } from './dependencies.ts';
import { type UserView, userView } from './views.ts';

export interface PageInput {
  readonly limit?: number;
  readonly cursor?: string | undefined;
}

const LIMIT_MAX = 500;

/** A page size that a client cannot blow up. */
export function pageOptions({ limit = 100, cursor }: PageInput): { limit: number; cursor: string | undefined } {
  return { limit: Math.min(LIMIT_MAX, Math.max(1, Math.trunc(limit))), cursor };
}

/** In the order in which they were made. */
export async function listUsers({ keyspace }: Dependencies, input: PageInput = {}): Promise<Page<UserView>> {
  const { items, cursor } = await keyspace.page(users, {}, pageOptions(input));
  return { items: items.map(userView), cursor };
}
