import type { Caller, InputOf, OutputOf } from '@holdfast/operation';
import { audiobookErrors } from '../../model/errors.ts';
import type * as operations from '../../operations/rights.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { listenerOf } from '../listener.ts';
import * as rights from '../rights.ts';
import { visibleLibraries } from './libraries.ts';

export async function showAccess(
  audiobooks: Audiobooks,
  _input: object,
  caller: Caller,
): Promise<OutputOf<typeof operations.showAccess>> {
  const listener = await listenerOf(audiobooks, caller);
  return { can: listener.can, libraries: (await visibleLibraries(audiobooks, listener)).map(({ id }) => id) };
}

export async function listRights(
  audiobooks: Audiobooks,
  page: InputOf<typeof operations.listRights>,
): Promise<OutputOf<typeof operations.listRights>> {
  const { items, cursor } = await audiobooks.accounts.page(page);
  const users = items.map(async ({ id, username }) => ({
    ...(await rights.rightsOf(audiobooks.store, id)),
    user_id: id,
    username,
  }));
  return { data: await Promise.all(users), next_cursor: cursor ?? null };
}

export async function showRights(
  { store }: Audiobooks,
  { user_id: user }: InputOf<typeof operations.showRights>,
): Promise<OutputOf<typeof operations.showRights>> {
  return { ...(await rights.rightsOf(store, user)), user_id: user };
}

export function setRights(
  audiobooks: Audiobooks,
  { user_id: user, if_revision: expected, libraries, edit, download }: InputOf<typeof operations.setRights>,
): Promise<OutputOf<typeof operations.setRights>> {
  const given = { libraries: libraries === 'all' ? libraries : [...libraries], edit, download };
  return rights.setRights(audiobooks, user, given, (revision) => {
    if (expected === undefined || expected === revision) return;
    throw audiobookErrors.REVISION_STALE(`The rights have revision ${revision}.`);
  });
}
