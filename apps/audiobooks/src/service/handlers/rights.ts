import type { rightsGiven } from '../../operations/rights.ts';
import type { PageRequest } from '../../operations/fields.ts';
import type { Caller, ObjectValue } from '@holdfast/operation';
import { audiobookErrors } from '../../model/errors.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { listenerOf } from '../listener.ts';
import * as rights from '../rights.ts';
import { visibleLibraries } from './libraries.ts';

export async function showAccess(audiobooks: Audiobooks, _input: object, caller: Caller) {
  const listener = await listenerOf(audiobooks, caller);
  return { can: listener.can, libraries: (await visibleLibraries(audiobooks, listener)).map(({ id }) => id) };
}

export async function listRights(audiobooks: Audiobooks, page: PageRequest) {
  const { items, cursor } = await audiobooks.accounts.page(page);
  const users = items.map(async ({ id, username }) => ({
    ...(await rights.rightsOf(audiobooks.store, id)),
    user_id: id,
    username,
  }));
  return { data: await Promise.all(users), next_cursor: cursor ?? null };
}

export async function showRights({ store }: Audiobooks, { user_id: user }: { readonly user_id: string }) {
  return { ...(await rights.rightsOf(store, user)), user_id: user };
}

export function setRights(audiobooks: Audiobooks, input: ObjectValue<typeof rightsGiven>) {
  const { user_id: user, if_revision: expected, libraries, edit, download } = input;
  const given = { libraries: libraries === 'all' ? libraries : [...libraries], edit, download };
  return rights.setRights(audiobooks, user, given, (revision) => {
    if (expected === undefined || expected === revision) return;
    throw audiobookErrors.REVISION_STALE(`The rights have revision ${revision}.`);
  });
}
