import type { PageRequest } from '../../operations/fields.ts';
import type { Page, Reads } from '@holdfast/keyspace';
import { audiobookErrors } from '../../model/errors.ts';
import type { Bookmark } from '../../model/playback.ts';
import type { PreferenceChanges, Preferences } from '../../model/records.ts';
import { toTime } from '../../model/stored.ts';
import { readBook } from '../../store/books.ts';
import { bookmarks, books } from '../../store/definitions.ts';
import { readPreferences, writePreferences } from '../../store/listening.ts';
import { currentPosition } from '../../store/timelines.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { type Listener, seenBook } from '../listener.ts';

interface NewBookmark {
  readonly position_ms: number;
  readonly generation?: number | undefined;
  readonly note: string;
}

/** Lists a user's bookmarks in a book in order of creation, with positions on the current timeline. */
export function listBookmarks(
  { reader }: Audiobooks,
  listener: Listener,
  bookId: string,
  request: PageRequest,
): Promise<Page<Bookmark>> {
  return reader.snapshot(async (reads) => {
    await seenBook(reads, listener, bookId);
    return reads.page(bookmarks, { user_id: listener.userId, book_id: bookId }, request);
  });
}

/** Lists a user's bookmarks in all books that the user may see. */
export function allBookmarks({ reader }: Audiobooks, { userId, sees }: Listener): Promise<readonly Bookmark[]> {
  return reader.snapshot(async (reads) => {
    const all = await reads.list(bookmarks.by.own, { user_id: userId });
    const found = await reads.getMany(
      books,
      all.map(({ book_id: id }) => ({ id })),
    );
    return all.filter((_mark, index) => found[index]?.deleted_at === null && sees(found[index]));
  });
}

export function addBookmark(
  { store, now, newId }: Audiobooks,
  listener: Listener,
  bookId: string,
  given: NewBookmark,
): Promise<Bookmark> {
  const id = newId();
  const at = toTime(now());
  return store.transact(async (tx) => {
    await seenBook(tx, listener, bookId);
    const wanted = { positionMs: given.position_ms, generation: given.generation };
    const place = await currentPosition(tx, bookId, wanted);
    if (typeof place === 'string')
      throw audiobookErrors.BOOK_WITHOUT_FILES('The book has no files, so it cannot have bookmarks.');
    const mark: Bookmark = {
      id,
      user_id: listener.userId,
      book_id: bookId,
      book_position_ms: place.bookPositionMs,
      generation: place.generation,
      note: given.note,
      created_at: at,
      version: 1,
    };
    await tx.put(bookmarks, { user_id: mark.user_id, book_id: bookId, id }, mark);
    return mark;
  });
}

export function changeBookmark(
  { store }: Audiobooks,
  listener: Listener,
  id: string,
  change: { readonly note?: string | undefined; readonly position_ms?: number | undefined },
): Promise<Bookmark> {
  return store.transact(async (tx) => {
    const mark = await ownBookmark(tx, listener, id);
    const { note = mark.note, position_ms: position } = change;
    const place =
      position === undefined
        ? undefined
        : await currentPosition(tx, mark.book_id, { positionMs: position, generation: undefined });
    const moved =
      place === undefined || typeof place === 'string'
        ? {}
        : { book_position_ms: place.bookPositionMs, generation: place.generation };
    const changed = { ...mark, note, ...moved };
    await tx.put(bookmarks, { user_id: mark.user_id, book_id: mark.book_id, id }, changed);
    return changed;
  });
}

export function removeBookmark({ store }: Audiobooks, listener: Listener, id: string): Promise<void> {
  return store.transact(async (tx) => {
    const mark = await ownBookmark(tx, listener, id);
    await tx.delete(bookmarks, { user_id: mark.user_id, book_id: mark.book_id, id });
  });
}

/** Returns one of the listener's bookmarks. Another user's bookmark counts as not found. */
async function ownBookmark(reads: Reads, { userId, sees }: Listener, id: string): Promise<Bookmark> {
  const [mark] = await reads.list(bookmarks.by.own, { user_id: userId, id }, { limit: 1 });
  if (mark !== undefined) await seenBook(reads, { sees }, mark.book_id);
  if (mark === undefined) throw audiobookErrors.BOOKMARK_NOT_FOUND(`There is no bookmark ${id}.`);
  return mark;
}

export function preferencesOf({ reader }: Audiobooks, { userId }: Listener): Promise<Preferences> {
  return reader.snapshot((reads) => readPreferences(reads, userId));
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
