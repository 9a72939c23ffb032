import { audiobookErrors } from '../../model/errors.ts';
import type { PreferenceChanges, Preferences } from '../../model/records.ts';
import { readBook } from '../../store/books.ts';
import { readPreferences, writePreferences } from '../../store/listening.ts';
import type { Audiobooks } from '../audiobooks.ts';
import type { Listener } from '../listener.ts';

export function preferencesOf({ store }: Audiobooks, { userId }: Listener): Promise<Preferences> {
  return store.snapshot((reads) => readPreferences(reads, userId));
}

export function changePreferences(
  { store }: Audiobooks,
  listener: Listener,
  changes: PreferenceChanges,
): Promise<Preferences> {
  return store.transact(async (tx) => {
    for (const id of Object.keys(changes.books ?? {})) {
      const book = await readBook(tx, id);
      if (book === undefined || !listener.sees(book)) throw audiobookErrors.BOOK_NOT_FOUND(`There is no book ${id}.`);
    }
    await writePreferences(tx, listener.userId, changes);
    return readPreferences(tx, listener.userId);
  });
}
