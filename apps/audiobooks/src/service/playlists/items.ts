import { readPage } from '@holdfast/base';
import type { Reads, Transaction } from '@holdfast/keyspace';
import type { Book } from '../../model/book.ts';
import { audiobookErrors } from '../../model/errors.ts';
import type { Playlist } from '../../model/playlist.ts';
import { toTime } from '../../model/stored.ts';
import { readBook } from '../../store/books.ts';
import { playlistItems } from '../../store/definitions.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { seenBook } from '../listening/listener.ts';
import { type Expect, ownPlaylist, type PlaylistUser, touchPlaylist } from './playlists.ts';

/**
 * The books of a playlist in their order. Positions are far apart, so that one is put between two others without moving
 * anything, and a position that somebody was shown still means the same item after others came and went. Only when there
 * is no room left are all of them spread anew.
 */

const GAP = 1_024;
const ITEMS_MAX = 10_000;

export interface Item {
  readonly position: number;
  readonly book: Book;
}

export interface ItemPage {
  readonly items: readonly Item[];
  readonly cursor: string | undefined;
}

/** A page of what the listener may see. What is deleted or out of sight keeps its position. */
export async function pageOfItems(
  reads: Reads,
  { sees }: PlaylistUser,
  playlist: string,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
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

/** Puts a book before the item at a position, or at the end. */
export function addItem(
  { store, now }: Audiobooks,
  user: PlaylistUser,
  { playlist: id, expect, book, before }: ItemChange & { readonly book: string; readonly before?: number | undefined },
): Promise<{ readonly playlist: Playlist; readonly position: number }> {
  const at = toTime(now());
  return store.transact(async (tx) => {
    const playlist = await manual(tx, user, id, expect);
    await seenBook(tx, user, book);
    await refuseSecond(tx, id, book);
    await refuseFull(tx, id);
    const position = await room(tx, id, before);
    await tx.put(playlistItems, { playlist: id, position }, { book_id: book, added_at: at, version: 1 });
    return { playlist: await touchPlaylist(tx, playlist, at), position };
  });
}

/** Moves an item before the one at another position, or to the end with null. Returns where it is now. */
export function moveItem(
  { store, now }: Audiobooks,
  user: PlaylistUser,
  { playlist: id, expect, position, to }: ItemChange & { readonly position: number; readonly to: number | null },
): Promise<{ readonly playlist: Playlist; readonly position: number }> {
  const at = toTime(now());
  return store.transact(async (tx) => {
    const playlist = await manual(tx, user, id, expect);
    const item = await tx.get(playlistItems, { playlist: id, position });
    if (item === undefined) throw notThere(position);
    if (to === position) return { playlist, position };
    if (to !== null && (await tx.get(playlistItems, { playlist: id, position: to })) === undefined) {
      throw notThere(to);
    }
    await tx.delete(playlistItems, { playlist: id, position });
    const target = await room(tx, id, to ?? undefined);
    await tx.put(playlistItems, { playlist: id, position: target }, item);
    return { playlist: await touchPlaylist(tx, playlist, at), position: target };
  });
}

export function removeItem(
  { store, now }: Audiobooks,
  user: PlaylistUser,
  { playlist: id, expect, position }: ItemChange & { readonly position: number },
): Promise<Playlist> {
  return store.transact(async (tx) => {
    const playlist = await manual(tx, user, id, expect);
    if (!(await tx.delete(playlistItems, { playlist: id, position }))) throw notThere(position);
    return touchPlaylist(tx, playlist, toTime(now()));
  });
}

async function manual(reads: Reads, user: PlaylistUser, id: string, expect: Expect): Promise<Playlist> {
  const playlist = await ownPlaylist(reads, user, id, expect);
  if (playlist.kind === 'manual') return playlist;
  throw audiobookErrors.PLAYLIST_SMART(`${playlist.name} is a smart playlist.`);
}

function notThere(position: number): Error {
  return audiobookErrors.PLAYLIST_ITEM_NOT_FOUND(`There is nothing at position ${position}.`);
}

/** Whether a book is in a playlist already, by the index of its places. */
export async function placesOf(
  tx: Transaction,
  book: string,
  playlist: string | undefined,
): Promise<readonly { readonly playlist: string; readonly position: number }[]> {
  const { template } = playlistItems.by.book;
  const leading = playlist === undefined ? { book_id: book } : { book_id: book, playlist };
  const found = await tx.readRange({ ...template.range(leading), limit: 100_000, reverse: false });
  return found
    .map(([key]) => template.decode(key) as { playlist: string; position: number } | undefined)
    .filter((place) => place !== undefined);
}

async function refuseSecond(tx: Transaction, playlist: string, book: string): Promise<void> {
  if ((await placesOf(tx, book, playlist)).length === 0) return;
  throw audiobookErrors.PLAYLIST_HAS_BOOK('This book is in the playlist already.');
}

/** Counts keys alone: nothing of the books is read. */
async function refuseFull(tx: Transaction, playlist: string): Promise<void> {
  const range = playlistItems.template.range({ playlist });
  const items = await tx.readRange({ ...range, limit: ITEMS_MAX, reverse: false });
  if (items.length >= ITEMS_MAX) throw audiobookErrors.PLAYLIST_FULL(`This playlist has ${ITEMS_MAX} books already.`);
}

/** A free position before the given item, or after all; makes room if there is none. */
async function room(tx: Transaction, playlist: string, before: number | undefined): Promise<number> {
  if (before === undefined) {
    const [last] = await tx.entries(playlistItems, { playlist }, { reverse: true, limit: 1 });
    return last === undefined ? GAP : last.key.position + GAP;
  }
  if ((await tx.get(playlistItems, { playlist, position: before })) === undefined) throw notThere(before);
  const [previous] = await tx.entries(playlistItems, { playlist }, { end: before, reverse: true, limit: 1 });
  const low = previous?.key.position ?? 0;
  const middle = Math.floor((low + before) / 2);
  return middle > low ? middle : spread(tx, playlist, before);
}

/** Spreads all items anew, with a gap before the given one. Returns the position of the gap. */
async function spread(tx: Transaction, playlist: string, before: number): Promise<number> {
  const found = await tx.entries(playlistItems, { playlist });
  if (found.length > ITEMS_MAX) throw audiobookErrors.PLAYLIST_FULL('This playlist is too long to be ordered.');
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
