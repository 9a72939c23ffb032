import type { Caller, ObjectValue } from '@holdfast/operation';
import { audiobookErrors } from '../model/errors.ts';
import type { Rights } from '../model/records.ts';
import type { PageRequest } from '../operations/fields.ts';
import type { rightsGiven } from '../operations/rights.ts';
import { libraries, rights } from '../store/definitions.ts';
import { type Audiobooks, stampFor } from './audiobooks.ts';
import { visibleLibraries } from './libraries.ts';
import { listenerOf, rightsOf } from './listener.ts';

export async function showAccess(audiobooks: Audiobooks, _input: object, caller: Caller) {
  const listener = await listenerOf(audiobooks, caller);
  return { can: listener.can, libraries: (await visibleLibraries(audiobooks, listener)).map(({ id }) => id) };
}

export async function listRights({ store, accounts }: Audiobooks, page: PageRequest) {
  const { items, cursor } = await accounts.page(page);
  const users = items.map(async ({ id, username }) => ({ ...(await rightsOf(store, id)), user_id: id, username }));
  return { data: await Promise.all(users), next_cursor: cursor ?? null };
}

export async function showRights({ store }: Audiobooks, { user_id: user }: { readonly user_id: string }) {
  return { ...(await rightsOf(store, user)), user_id: user };
}

export function setRights(audiobooks: Audiobooks, given: ObjectValue<typeof rightsGiven>): Promise<Rights> {
  const { user_id: user, if_revision: expected, edit, download } = given;
  const { at } = stampFor(audiobooks);
  const chosen = given.libraries === 'all' ? 'all' : [...new Set(given.libraries)].sort();
  return audiobooks.store.transact(async (tx) => {
    const { revision } = await rightsOf(tx, user);
    if (expected !== undefined && expected !== revision) {
      throw audiobookErrors.REVISION_STALE(`The access settings have revision ${revision} now.`);
    }
    for (const id of chosen === 'all' ? [] : chosen) {
      const library = await tx.get(libraries, { id });
      if (library === undefined) throw audiobookErrors.LIBRARY_NOT_FOUND(`There is no library ${id}.`);
    }
    const after: Rights = {
      user_id: user,
      libraries: chosen,
      edit,
      download,
      updated_at: at,
      revision: revision + 1,
      version: 1,
    };
    await tx.put(rights, { user_id: user }, after);
    return after;
  });
}
