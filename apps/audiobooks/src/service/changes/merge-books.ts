import type { Transaction } from '@holdfast/keyspace';
import type { Book } from '../../model/book.ts';
import { audiobookErrors } from '../../model/errors.ts';
import { percentOf, placeAt } from '../../model/timeline.ts';
import { writeBook } from '../../store/books.ts';
import { bookmarks, playlistItems, progress } from '../../store/definitions.ts';
import { rememberJump } from '../../store/jumps.ts';
import { newestMap } from '../../store/timelines.ts';
import type { Catalogue } from '../catalogue.ts';
import { placesOf } from '../playlists/items.ts';
import { resolveBook } from '../queries/resolve.ts';
import { changeAtOnce, type Changed } from './record-operation.ts';

export interface MergeBooksRequest {
  readonly keep: string;
  readonly other: string;
  readonly by: string;
}

/**
 * A book that is there twice becomes one: whoever listened to the other goes on with this one at the same place, and
 * playlists follow. The other is taken off the lists; its files stay where they are.
 */
export function mergeBooks(catalogue: Catalogue, request: MergeBooksRequest): Promise<Changed<Book>> {
  const operation = { type: 'edit', params: { ...request }, createdBy: request.by } as const;
  return changeAtOnce(catalogue, operation, async ({ transaction, writer }) => {
    const keep = await resolveBook(transaction, request.keep);
    const other = await resolveBook(transaction, request.other);
    if (keep.id === other.id) throw audiobookErrors.FIELD_INVALID('A book cannot be merged with itself.');
    const moved = await moveProgress(transaction, other, keep);
    await copyBookmarks(transaction, other, keep, writer.newId);
    await movePlaylists(transaction, other, keep);
    const deleted = { ...other, deleted_at: writer.at };
    await writeBook(transaction, other, deleted, writer);
    const result = { books: [keep.id, other.id], deleted: [other.id], progress_moved: moved };
    return { value: keep, result };
  });
}

async function moveProgress(transaction: Transaction, from: Book, to: Book): Promise<readonly string[]> {
  const map = await newestMap(transaction, to.id);
  const moved: string[] = [];
  for (const entry of await transaction.list(progress.by.book, { book_id: from.id })) {
    if (!entry.started) continue;
    const key = { user_id: entry.user_id, book_id: to.id };
    const own = await transaction.get(progress, key);
    // Who listened to both keeps the later place.
    if (map === undefined || (own !== undefined && own.updated_at >= entry.updated_at)) continue;
    const place = placeAt(map, entry.book_position_ms);
    if (place === undefined) continue;
    const position = Math.min(entry.book_position_ms, map.total_duration_ms);
    await transaction.put(progress, key, {
      ...entry,
      book_id: to.id,
      segment_id: place.segmentId,
      position_seconds: place.positionMs / 1_000,
      book_position_ms: position,
      generation: map.generation,
      percent_complete: percentOf(position, map.total_duration_ms),
      revision: (own?.revision ?? 0) + 1,
    });
    if (own !== undefined && own.started) {
      await rememberJump(transaction, key, {
        book_position_ms: own.book_position_ms,
        generation: own.generation,
        at: entry.updated_at,
        device_id: own.device_id,
        reason: 'merge',
      });
    }
    moved.push(entry.user_id);
  }
  return moved;
}

/** Copies, so that taking it back leaves the other as it was. */
async function copyBookmarks(transaction: Transaction, from: Book, to: Book, newId: () => string): Promise<void> {
  const map = await newestMap(transaction, to.id);
  if (map === undefined) return;
  for (const mark of await transaction.list(bookmarks.by.book, { book_id: from.id })) {
    const id = newId();
    await transaction.put(
      bookmarks,
      { user_id: mark.user_id, book_id: to.id, id },
      {
        ...mark,
        id,
        book_id: to.id,
        book_position_ms: Math.min(mark.book_position_ms, map.total_duration_ms),
        generation: map.generation,
      },
    );
  }
}

/** A playlist that has both keeps the one that stays. */
async function movePlaylists(transaction: Transaction, from: Book, to: Book): Promise<void> {
  for (const place of await placesOf(transaction, from.id, undefined)) {
    if ((await placesOf(transaction, to.id, place.playlist)).length > 0) {
      await transaction.delete(playlistItems, place);
    } else {
      await transaction.update(playlistItems, place, (item) => ({ ...item, book_id: to.id }));
    }
  }
}
