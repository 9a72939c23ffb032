import type { Transaction } from '@holdfast/keyspace';
import type { Book } from '../../model/book.ts';
import { audiobookErrors } from '../../model/errors.ts';
import type { Operation } from '../../model/operation.ts';
import type { Bookmark, Progress } from '../../model/playback.ts';
import type { PlaylistItem } from '../../model/records.ts';
import { percentOf, positionAt } from '../../model/timeline.ts';
import { writeBook } from '../../store/books.ts';
import { bookmarks, playlistItems, playlists, progress } from '../../store/definitions.ts';
import { rememberJump } from '../../store/listening.ts';
import { newestMap } from '../../store/timelines.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { itemsWithBook } from '../playlists/items.ts';
import { resolveBook } from '../queries/resolve.ts';
import { changeAtOnce, type Changed } from './change.ts';

interface MergeBooksRequest {
  readonly keep: string;
  readonly other: string;
  readonly by: string;
}

/**
 * Merges a duplicate into another book. Listeners keep their position, and playlists contain the other book instead.
 * The duplicate is hidden, and its files stay.
 */
export function mergeBooks(audiobooks: Audiobooks, request: MergeBooksRequest): Promise<Changed<Book>> {
  const operation = { type: 'edit', params: { ...request }, createdBy: request.by } as const;
  return changeAtOnce(audiobooks, operation, async ({ tx, editor }) => {
    const keep = await resolveBook(tx, request.keep);
    const other = await resolveBook(tx, request.other);
    if (keep.id === other.id) throw audiobookErrors.FIELD_INVALID('A book cannot be merged with itself.');
    const listening: MovedListening = {
      places: await moveProgress(tx, other, keep),
      bookmarks: await copyBookmarks(tx, other, keep, editor.newId),
      items: await movePlaylists(tx, other, keep),
    };
    const deleted = { ...other, deleted_at: editor.at, merged_into: keep.id };
    await writeBook(tx, other, deleted, editor);
    const moved = listening.places.map(({ after }) => after.user_id);
    const result = { books: [keep.id, other.id], deleted: [other.id], progress_moved: moved, listening };
    return { value: keep, result };
  });
}

async function moveProgress(tx: Transaction, from: Book, to: Book): Promise<MovedListening['places']> {
  const map = await newestMap(tx, to.id);
  const moved: { before: Progress | null; after: Progress }[] = [];
  for (const entry of await tx.list(progress.by.book, { book_id: from.id })) {
    if (!entry.started) continue;
    const key = { user_id: entry.user_id, book_id: to.id };
    const own = await tx.get(progress, key);
    // A listener who started both books keeps the position that was updated last.
    if (map === undefined || (own !== undefined && own.updated_at >= entry.updated_at)) continue;
    const place = positionAt(map, entry.book_position_ms);
    if (place === undefined) continue;
    const position = Math.min(entry.book_position_ms, map.total_duration_ms);
    const after: Progress = {
      ...entry,
      book_id: to.id,
      segment_id: place.segmentId,
      position_seconds: place.positionMs / 1_000,
      book_position_ms: position,
      generation: map.generation,
      percent_complete: percentOf(position, map.total_duration_ms),
      revision: (own?.revision ?? 0) + 1,
    };
    await tx.put(progress, key, after);
    if (own !== undefined && own.started) {
      await rememberJump(tx, key, {
        book_position_ms: own.book_position_ms,
        generation: own.generation,
        at: entry.updated_at,
        device_id: own.device_id,
        reason: 'merge',
      });
    }
    moved.push({ before: own ?? null, after });
  }
  return moved;
}

/** Copies the duplicate's bookmarks instead of moving them, so that undo can leave the duplicate as it was. */
async function copyBookmarks(
  tx: Transaction,
  from: Book,
  to: Book,
  newId: () => string,
): Promise<MovedListening['bookmarks']> {
  const map = await newestMap(tx, to.id);
  const copies: { user_id: string; id: string; of: string }[] = [];
  if (map === undefined) return copies;
  for (const mark of await tx.list(bookmarks.by.book, { book_id: from.id })) {
    const copy: Bookmark = {
      ...mark,
      id: newId(),
      book_id: to.id,
      book_position_ms: Math.min(mark.book_position_ms, map.total_duration_ms),
      generation: map.generation,
    };
    await tx.put(bookmarks, { user_id: copy.user_id, book_id: to.id, id: copy.id }, copy);
    copies.push({ user_id: copy.user_id, id: copy.id, of: mark.id });
  }
  return copies;
}

/** If a playlist contains both books, removes the duplicate; otherwise replaces the duplicate with the other book. */
async function movePlaylists(tx: Transaction, from: Book, to: Book): Promise<MovedListening['items']> {
  const moved: { place: { playlist: string; position: number }; item: PlaylistItem }[] = [];
  for (const place of await itemsWithBook(tx, from.id, undefined)) {
    const item = await tx.get(playlistItems, place);
    if (item === undefined) continue;
    moved.push({ place: { playlist: place.playlist, position: place.position }, item });
    if ((await itemsWithBook(tx, to.id, place.playlist)).length > 0) {
      await tx.delete(playlistItems, place);
    } else {
      await tx.put(playlistItems, place, { ...item, book_id: to.id });
    }
  }
  return moved;
}

/** Listening data that a merge of two books moved, for undo. */
interface MovedListening {
  /** Progress in the remaining book, before and after the merge. */
  readonly places: readonly { readonly before: Progress | null; readonly after: Progress }[];
  /**
   * Bookmarks copied to the remaining book, with the ids of the originals. Notes are left out, because they may be
   * encrypted.
   */
  readonly bookmarks: readonly { readonly user_id: string; readonly id: string; readonly of: string }[];
  /** Places in playlists where the duplicate was. */
  readonly items: readonly {
    readonly place: { readonly playlist: string; readonly position: number };
    readonly item: PlaylistItem;
  }[];
}

/** Undoes what a merge of books did to listening data. Changes that listeners made after the merge stay. */
export async function separateListening(tx: Transaction, { result }: Operation): Promise<void> {
  const listening = result?.['listening'] as MovedListening | undefined;
  const [keep, other] = (result?.['books'] ?? []) as readonly string[];
  if (listening === undefined || keep === undefined || other === undefined) return;
  for (const { before, after } of listening.places) await restoreProgress(tx, before, after);
  for (const { user_id, id, of } of listening.bookmarks) {
    const key = { user_id, book_id: keep, id };
    const [copy, first] = [await tx.get(bookmarks, key), await tx.get(bookmarks, { user_id, book_id: other, id: of })];
    if (copy !== undefined && copy.note === first?.note) await tx.delete(bookmarks, key);
  }
  for (const { place, item } of listening.items) {
    const now = await tx.get(playlistItems, place);
    const isOpen = now === undefined || (now.book_id === keep && now.added_at === item.added_at);
    const hasOther = (await itemsWithBook(tx, other, place.playlist)).length > 0;
    if (!isOpen || hasOther || (await tx.get(playlists, { id: place.playlist })) === undefined) continue;
    await tx.put(playlistItems, place, item);
  }
}

async function restoreProgress(tx: Transaction, before: Progress | null, after: Progress): Promise<void> {
  const key = { user_id: after.user_id, book_id: after.book_id };
  const now = await tx.get(progress, key);
  // The listener's progress has changed since the merge: keep it.
  if (now?.revision !== after.revision || now.generation !== after.generation) return;
  if (before === null) await tx.delete(progress, key);
  else await tx.put(progress, key, { ...before, revision: now.revision + 1 });
}
