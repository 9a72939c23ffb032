import { audiobookErrors } from '../../model/errors.ts';
import type { PreferenceChanges, Preferences } from '../../model/preferences.ts';
import { readBook } from '../../store/books.ts';
import { readPreferences, writePreferences } from '../../store/preferences.ts';
import type { Catalogue } from '../catalogue.ts';
import type { Listener } from './listener.ts';

export function preferencesOf({ store }: Catalogue, { userId }: Listener): Promise<Preferences> {
  return store.snapshot((reads) => readPreferences(reads, userId));
}

export function changePreferences(
  { store }: Catalogue,
  listener: Listener,
  changes: PreferenceChanges,
): Promise<Preferences> {
  return store.transact(async (transaction) => {
    for (const id of Object.keys(changes.books ?? {})) {
      const book = await readBook(transaction, id);
      if (book === undefined || !listener.sees(book)) throw audiobookErrors.BOOK_NOT_FOUND(`There is no book ${id}.`);
    }
    await writePreferences(transaction, listener.userId, changes);
    return readPreferences(transaction, listener.userId);
  });
}
