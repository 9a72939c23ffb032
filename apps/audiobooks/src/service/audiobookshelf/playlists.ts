import { playlistView, type WholeBook } from '../../model/audiobookshelf/views.ts';
import type { Book } from '../../model/book.ts';
import { audiobookErrors } from '../../model/errors.ts';
import type { Playlist } from '../../model/records.ts';
import { playlists } from '../../store/definitions.ts';
import { visibleLibraries } from '../libraries.ts';
import { addItems, orderItems, pageOfItems, removeItems } from '../playlists/items.ts';
import { changePlaylist, createPlaylist, removePlaylist, seenPlaylist } from '../playlists/playlists.ts';
import { evaluateQuery } from '../playlists/smart.ts';
import { type Browsing, clientBook, wholeBook } from './library-items.ts';

/**
 * Playlists as clients see them: the listener's own playlists appear as playlists, shared ones as collections. Clients
 * expect a playlist to belong to one library. Ours can contain books from several libraries, so each library shows only
 * its own books.
 */

export type ClientListKind = 'playlist' | 'collection';

/** Maximum number of books in a list. It is limited because clients read whole lists without pages. */
const BOOKS_MAX = 1_000;

/** What is needed to show a list; the socket has no catalogue. */
type Showing = Omit<Browsing, 'catalogue'>;

async function booksIn({ audiobooks, listener }: Showing, playlist: Playlist): Promise<readonly Book[]> {
  const page = { limit: BOOKS_MAX, cursor: undefined };
  const found =
    playlist.query === null
      ? await pageOfItems(audiobooks.reader, listener, playlist.id, page)
      : await evaluateQuery(audiobooks, listener, playlist.query, page);
  return found.items.map((item) => ('book' in item ? item.book : item)).filter((book) => book.library_id !== null);
}

/** Returns the playlists or collections that contain books from a library, and the empty ones. */
export async function listsIn(browsing: Browsing, library: string, kind: ClientListKind) {
  const { reader } = browsing.audiobooks;
  const { userId } = browsing.listener;
  const all =
    kind === 'playlist'
      ? await reader.list(playlists.by.user, { user_id: userId })
      : await reader.list(playlists.by.shared, {});
  const shown = [];
  for (const playlist of all) {
    const books = await booksIn(browsing, playlist);
    const own = books.filter((book) => book.library_id === library);
    if (own.length > 0 || books.length === 0) shown.push(await viewOf(browsing, playlist, library, own));
  }
  return shown;
}

async function viewOf({ audiobooks, ids }: Showing, playlist: Playlist, library: string, books: readonly Book[]) {
  const whole: WholeBook[] = [];
  for (const book of books) whole.push(await wholeBook(audiobooks, book));
  return playlistView(ids, playlist, library, whole);
}

/**
 * Returns a whole playlist, with the library of its first book as the library of the playlist. For an empty playlist,
 * this is the given library or, if none is given, the first library.
 */
export async function listView(browsing: Showing, id: string, library?: string) {
  const { audiobooks, listener } = browsing;
  const playlist = await seenPlaylist(audiobooks.store, listener, id);
  const books = await booksIn(browsing, playlist);
  const [first] = await visibleLibraries(audiobooks, listener);
  return viewOf(browsing, playlist, books[0]?.library_id ?? library ?? first?.id ?? id, books);
}

export function listId({ ids }: Browsing, given: string): string {
  const id = ids.fromClient(given);
  if (id === undefined) throw audiobookErrors.PLAYLIST_NOT_FOUND('There is no such playlist.');
  return id;
}

interface NewList {
  readonly name: string;
  readonly library: string;
  readonly items: readonly string[];
}

export async function createList(browsing: Browsing, kind: ClientListKind, { name, library, items }: NewList) {
  const { audiobooks, listener } = browsing;
  const { id } = await createPlaylist(audiobooks, listener, { name, shared: kind === 'collection' });
  return changeItems(browsing, id, { add: items }, library);
}

interface ItemsChange {
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
}

/** Adds and removes books by the ids that clients use. */
export async function changeItems(browsing: Browsing, id: string, change: ItemsChange, library?: string) {
  const { audiobooks, listener } = browsing;
  const { add = [], remove = [] } = change;
  if (add.length > 0) await addItems(audiobooks, listener, { playlist: id, books: await bookIds(browsing, add) });
  if (remove.length > 0)
    await removeItems(audiobooks, listener, { playlist: id, books: await bookIds(browsing, remove) });
  return listView(browsing, id, library);
}

function bookIds(browsing: Browsing, given: readonly string[]): Promise<string[]> {
  return Promise.all(given.map(async (item) => (await clientBook(browsing, browsing.listener, item)).id));
}

interface ListChange {
  readonly name: string | undefined;
  /** The books in their new order. */
  readonly items: readonly string[];
}

export async function changeList(browsing: Browsing, id: string, { name, items }: ListChange) {
  const { audiobooks, listener } = browsing;
  if (name !== undefined) await changePlaylist(audiobooks, listener, id, { name });
  if (items.length > 0) await orderItems(audiobooks, listener, { playlist: id, books: await bookIds(browsing, items) });
  return listView(browsing, id);
}

export function deleteList({ audiobooks, listener }: Browsing, id: string): Promise<void> {
  return removePlaylist(audiobooks, listener, id);
}
