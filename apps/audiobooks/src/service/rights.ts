import type { Reads } from '@holdfast/keyspace';
import { audiobookErrors } from '../model/errors.ts';
import { DEFAULT_RIGHTS, type Rights } from '../model/records.ts';
import { libraries, rights } from '../store/definitions.ts';
import { type Audiobooks, stampFor } from './audiobooks.ts';

export type RightsGiven = Pick<Rights, 'libraries' | 'edit' | 'download'>;

/** Returns the stored or the default rights of a user. */
export async function rightsOf(reads: Reads, userId: string): Promise<RightsGiven & { readonly revision: number }> {
  return (await reads.get(rights, { user_id: userId })) ?? { ...DEFAULT_RIGHTS, revision: 0 };
}

/** Calls `check` with the replaced revision, inside the transaction. */
export function setRights(
  audiobooks: Audiobooks,
  userId: string,
  given: RightsGiven,
  check: (revision: number) => void,
): Promise<Rights> {
  const { at } = stampFor(audiobooks);
  return audiobooks.store.transact(async (tx) => {
    const { revision } = await rightsOf(tx, userId);
    check(revision);
    for (const id of given.libraries === 'all' ? [] : given.libraries) {
      const library = await tx.get(libraries, { id });
      if (library === undefined) throw audiobookErrors.LIBRARY_NOT_FOUND(`There is no library ${id}.`);
    }
    const { edit, download } = given;
    const chosen = given.libraries === 'all' ? 'all' : [...new Set(given.libraries)].sort();
    const after: Rights = {
      user_id: userId,
      libraries: chosen,
      edit,
      download,
      updated_at: at,
      revision: revision + 1,
      version: 1,
    };
    await tx.put(rights, { user_id: userId }, after);
    return after;
  });
}
