import type { Transaction } from '@holdfast/keyspace';
import type { Book } from '../../model/book.ts';
import { readBook, removeBook, writeBook } from '../../store/books.ts';
import {
  assets,
  bookListenSeconds,
  bookmarks,
  bookPlays,
  durationMaps,
  history,
  playbackEvents,
  playlistItems,
  progress,
} from '../../store/definitions.ts';
import { allSegments, removeSegment } from '../../store/segments.ts';
import { type Catalogue, makerOf } from '../catalogue.ts';
import { resolveBook } from '../queries/resolve.ts';

/** Out of every list, but nothing is lost: files, progress and history stay, and it can be brought back. */
export function deleteBook(catalogue: Catalogue, given: string): Promise<Book> {
  return mark(catalogue, given, makerOf(catalogue).at);
}

export function restoreBook(catalogue: Catalogue, given: string): Promise<Book> {
  return mark(catalogue, given, null);
}

function mark(catalogue: Catalogue, given: string, deletedAt: string | null): Promise<Book> {
  const maker = makerOf(catalogue);
  return catalogue.store.transact(async (transaction) => {
    const book = await resolveBook(transaction, given);
    return writeBook(transaction, book, { ...book, deleted_at: deletedAt }, maker);
  });
}

/** For good, with everything that belongs to it. Files are not touched. */
export function purgeBook(catalogue: Catalogue, id: string): Promise<void> {
  return catalogue.store.transact(async (transaction) => {
    const book = await readBook(transaction, id);
    if (book === undefined) return;
    for (const segment of await allSegments(transaction, id)) await removeSegment(transaction, segment);
    for (const map of await transaction.list(durationMaps, { book_id: id })) {
      await transaction.delete(durationMaps, { book_id: id, generation: map.generation });
    }
    for (const asset of await transaction.list(assets.by.book, { book_id: id })) {
      await transaction.delete(assets, { id: asset.id });
    }
    for (const entry of await transaction.list(history, { book_id: id })) {
      await transaction.delete(history, { book_id: id, field: entry.field, id: entry.id });
    }
    // First the work gives back what was counted for this book.
    await removeBook(transaction, book);
    await purgeListening(transaction, id);
  });
}

async function purgeListening(transaction: Transaction, id: string): Promise<void> {
  for (const { user_id: user } of await transaction.list(progress.by.book, { book_id: id })) {
    await transaction.delete(progress, { user_id: user, book_id: id });
    for (const event of await transaction.list(playbackEvents, { user_id: user, book_id: id })) {
      await transaction.delete(playbackEvents, { user_id: user, book_id: id, id: event.id });
    }
  }
  for (const bookmark of await transaction.list(bookmarks.by.book, { book_id: id })) {
    await transaction.delete(bookmarks, { user_id: bookmark.user_id, book_id: id, id: bookmark.id });
  }
  // The reverse index leads to the places in playlists; the gaps that are left do no harm.
  const range = playlistItems.by.book.template.range({ book_id: id });
  for (const [key] of await transaction.readRange({ ...range, limit: 1_000_000, reverse: false })) {
    const place = playlistItems.by.book.template.decode(key) as { playlist: string; position: number } | undefined;
    if (place !== undefined) await transaction.delete(playlistItems, place);
  }
  transaction.writeKey(bookPlays.template.encode({ book: id }), undefined);
  transaction.writeKey(bookListenSeconds.template.encode({ book: id }), undefined);
}
