import type { PageRequest } from '../../operations/fields.ts';
import { readPage } from '@holdfast/base';
import type { Reads, Transaction } from '@holdfast/keyspace';
import type { Book } from '../../model/book.ts';
import { audiobookErrors } from '../../model/errors.ts';
import type { Playlist, PlaylistItem } from '../../model/records.ts';
import { toTime } from '../../model/stored.ts';
import { readBook } from '../../store/books.ts';
import { playlistItems } from '../../store/definitions.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { type Listener, seenBook } from '../listener.ts';
import { type Expect, ownPlaylist, touchPlaylist } from './playlists.ts';

/**
 * Playlist positions have gaps, so that inserting a book usually writes one record. The playlist is renumbered only
 * when a gap is used up.
 */

const GAP = 1_024;
const ITEMS_MAX = 10_000;

interface Item {
  readonly position: number;
  readonly book: Book;
}

export interface ItemPage {
  readonly items: readonly Item[];
  readonly cursor: string | undefined;
}

/** Lists the books that the listener may see. Books that are deleted or not visible keep their position. */
export async function pageOfItems(
  reads: Reads,
  { sees }: Listener,
  playlist: string,
  { limit, cursor }: PageRequest,
): Promise<ItemPage> {
  const start = cursor === undefined ? 0 : Number.parseInt(cursor, 10) + 1;
  const { data, next_cursor } = await readPage(
    limit,
    (count) => reads.entries(playlistItems, { playlist }, { start: startOf(start), limit: count }),
    (last) => String(last.key.position),
  );
  const items: Item[] = [];
  for (const { key, value } of data) {
    const book = await readBook(reads, value.book_id);
    if (book !== undefined && book.deleted_at === null && sees(book)) items.push({ position: key.position, book });
  }
  return { items, cursor: next_cursor ?? undefined };
}

function startOf(position: number): number {
  return Number.isSafeInteger(position) && position >= 0 ? position : 0;
}

export interface ItemChange {
  readonly playlist: string;
  readonly expect?: Expect;
}

export interface ChangedItems {
  readonly playlist: Playlist;
  /** `position` is null for a book that was already on the playlist. */
  readonly items: readonly { readonly book_id: string; readonly title: string; readonly position: number | null }[];
}

/** Adds books before another book in the playlist, or at the end. Books that are already on it keep their position. */
export function addItems(
  { store, now }: Audiobooks,
  listener: Listener,
  request: ItemChange & { readonly books: readonly string[]; readonly before?: string | undefined },
): Promise<ChangedItems> {
  const { playlist: id, expect, books, before } = request;
  const at = toTime(now());
  return store.transact(async (tx) => {
    const playlist = await manual(tx, listener, id, expect);
    const items: { book_id: string; title: string; position: number | null }[] = [];
    for (const book of books) {
      const { title } = await seenBook(tx, listener, book);
      const isThere = (await itemsWithBook(tx, book, id)).length > 0;
      const position = isThere ? null : await addItem(tx, id, { book_id: book, added_at: at, version: 1 }, before);
      items.push({ book_id: book, title, position });
    }
    const isChanged = items.some(({ position }) => position !== null);
    return { playlist: isChanged ? await touchPlaylist(tx, playlist, at) : playlist, items };
  });
}

async function addItem(
  tx: Transaction,
  playlist: string,
  item: PlaylistItem,
  before: string | undefined,
): Promise<number> {
  await refuseFull(tx, playlist);
  const next = before === undefined ? undefined : await positionOf(tx, playlist, before);
  const position = await freePosition(tx, playlist, next);
  await tx.put(playlistItems, { playlist, position }, item);
  return position;
}

/** Moves a book before another one, or to the end. */
export function moveItem(
  { store, now }: Audiobooks,
  listener: Listener,
  request: ItemChange & { readonly book: string; readonly before?: string | undefined },
): Promise<ChangedItems> {
  const { playlist: id, expect, book, before } = request;
  return store.transact(async (tx) => {
    const playlist = await manual(tx, listener, id, expect);
    const position = await positionOf(tx, id, book);
    const title = (await readBook(tx, book))?.title ?? '';
    if (before === book) return { playlist, items: [{ book_id: book, title, position }] };
    const item = await tx.get(playlistItems, { playlist: id, position });
    if (item === undefined) throw itemNotFound(book);
    await tx.delete(playlistItems, { playlist: id, position });
    const target = await freePosition(tx, id, before === undefined ? undefined : await positionOf(tx, id, before));
    await tx.put(playlistItems, { playlist: id, position: target }, item);
    const changed = await touchPlaylist(tx, playlist, toTime(now()));
    return { playlist: changed, items: [{ book_id: book, title, position: target }] };
  });
}

/** Puts the given books into the given order. All other items in the playlist keep their position. */
export function orderItems(
  { store, now }: Audiobooks,
  listener: Listener,
  { playlist: id, books }: ItemChange & { readonly books: readonly string[] },
): Promise<Playlist> {
  return store.transact(async (tx) => {
    const playlist = await manual(tx, listener, id, undefined);
    const items = new Map(
      (await tx.entries(playlistItems, { playlist: id })).map((item) => [item.value.book_id, item]),
    );
    const wanted = [...new Set(books)].map((book) => items.get(book)).filter((item) => item !== undefined);
    const positions = wanted.map(({ key }) => key.position).sort((left, right) => left - right);
    for (const [index, position] of positions.entries()) {
      const item = wanted[index];
      if (item !== undefined) await tx.put(playlistItems, { playlist: id, position }, item.value);
    }
    return touchPlaylist(tx, playlist, toTime(now()));
  });
}

export function removeItems(
  { store, now }: Audiobooks,
  listener: Listener,
  { playlist: id, expect, books }: ItemChange & { readonly books: readonly string[] },
): Promise<ChangedItems> {
  return store.transact(async (tx) => {
    const playlist = await manual(tx, listener, id, expect);
    const items: { book_id: string; title: string; position: number }[] = [];
    for (const book of new Set(books)) {
      const position = await positionOf(tx, id, book);
      await tx.delete(playlistItems, { playlist: id, position });
      items.push({ book_id: book, title: (await readBook(tx, book))?.title ?? '', position });
    }
    return { playlist: await touchPlaylist(tx, playlist, toTime(now())), items };
  });
}

async function positionOf(tx: Transaction, playlist: string, book: string): Promise<number> {
  const [item] = await itemsWithBook(tx, book, playlist);
  if (item === undefined) throw itemNotFound(book);
  return item.position;
}

async function manual(reads: Reads, user: Listener, id: string, expect: Expect): Promise<Playlist> {
  const playlist = await ownPlaylist(reads, user, id, expect);
  if (playlist.kind === 'manual') return playlist;
  throw audiobookErrors.PLAYLIST_SMART(`${playlist.name} is a smart playlist.`);
}

function itemNotFound(book: string): Error {
  return audiobookErrors.PLAYLIST_ITEM_NOT_FOUND(`The book ${book} is not on the playlist.`);
}

/** Returns the places of a book in one playlist or in all playlists. */
export async function itemsWithBook(
  tx: Transaction,
  book: string,
  playlist: string | undefined,
): Promise<readonly { readonly playlist: string; readonly position: number }[]> {
  const { template } = playlistItems.by.book;
  const leading = playlist === undefined ? { book_id: book } : { book_id: book, playlist };
  const found = await tx.readRange({ ...template.range(leading), limit: 100_000, reverse: false });
  return found
    .map(([key]) => template.decode(key) as { playlist: string; position: number } | undefined)
    .filter((item) => item !== undefined);
}

async function refuseFull(tx: Transaction, playlist: string): Promise<void> {
  const range = playlistItems.template.range({ playlist });
  const items = await tx.readRange({ ...range, limit: ITEMS_MAX, reverse: false });
  if (items.length >= ITEMS_MAX) throw audiobookErrors.PLAYLIST_FULL(`The playlist already has ${ITEMS_MAX} books.`);
}

/** Returns a free position before the given one or at the end; renumbers the playlist if there is no gap. */
async function freePosition(tx: Transaction, playlist: string, before: number | undefined): Promise<number> {
  if (before === undefined) {
    const [last] = await tx.entries(playlistItems, { playlist }, { reverse: true, limit: 1 });
    return last === undefined ? GAP : last.key.position + GAP;
  }
  const [previous] = await tx.entries(playlistItems, { playlist }, { end: before, reverse: true, limit: 1 });
  const low = previous?.key.position ?? 0;
  const middle = Math.floor((low + before) / 2);
  return middle > low ? middle : renumber(tx, playlist, before);
}

/** Renumbers all items, leaving a gap before the given one. Returns the position of the gap. */
async function renumber(tx: Transaction, playlist: string, before: number): Promise<number> {
  const found = await tx.entries(playlistItems, { playlist });
  if (found.length > ITEMS_MAX) throw audiobookErrors.PLAYLIST_FULL('The playlist is too long to reorder.');
  for (const { key } of found) await tx.delete(playlistItems, key);
  let position = 0;
  let gap = 0;
  for (const { key, value } of found) {
    position += GAP;
    if (key.position === before) {
      gap = position;
      position += GAP;
    }
    await tx.put(playlistItems, { playlist, position }, value);
  }
  return gap;
}
