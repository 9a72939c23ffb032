import type { Book } from '../../model/book.ts';
import { sortKey } from '../../model/normalize.ts';
import type { Playlist } from '../../model/playlist.ts';
import { books, playlists } from '../../store/definitions.ts';
import type { Audiobooks } from '../audiobooks.ts';

const BOOKS_MAX = 50;
const PLAYLISTS_MAX = 500;

/** Returns books whose sort title starts at or after the typed text. */
export function completeBooks({ store }: Audiobooks, typed: string): Promise<readonly Book[]> {
  const start = typed === '' ? {} : { start: sortKey(typed).trim() };
  return store.list(books.by.sortTitle, {}, { limit: BOOKS_MAX, ...start });
}

export function completePlaylists({ store }: Audiobooks): Promise<readonly Playlist[]> {
  return store.list(playlists, {}, { limit: PLAYLISTS_MAX });
}
