import type { Transaction } from '@holdfast/keyspace';
import type { Book } from '../../model/book.ts';
import type { PlaybackEvent } from '../../model/playback.ts';
import { readBook, removeBook, writeBook } from '../../store/books.ts';
import {
  assets,
  bookListenSeconds,
  bookmarks,
  bookPlays,
  durationMaps,
  history,
  jumps,
  playbackEvents,
  playlistItems,
  progress,
  userTallies,
} from '../../store/definitions.ts';
import { forgetBookPreferences, removeEvent } from '../../store/listening.ts';
import { allSegments, removeSegment } from '../../store/timelines.ts';
import { type Audiobooks, stampFor } from '../audiobooks.ts';
import { itemsWithBook } from '../playlists/items.ts';
import { resolveBook, resolveDeletedBook } from '../queries/resolve.ts';
import { catchUp, keepCounts } from '../statistics/count.ts';

/** Hides a book from all lists; files, progress and history stay. Scans never restore it; `restoreBook` does. */
export function deleteBook(audiobooks: Audiobooks, given: string): Promise<Book> {
  const stamp = stampFor(audiobooks);
  return audiobooks.store.transact(async (tx) => {
    const book = await resolveBook(tx, given);
    return writeBook(tx, book, { ...book, deleted_at: stamp.at }, stamp);
  });
}

export function restoreBook(audiobooks: Audiobooks, given: string): Promise<Book> {
  const stamp = stampFor(audiobooks);
  return audiobooks.store.transact(async (tx) => {
    const book = await resolveDeletedBook(tx, given);
    return writeBook(tx, book, { ...book, deleted_at: null }, stamp);
  });
}

/**
 * Deletes a book permanently with all its data, except files and listening time, which is counted before the events are
 * removed.
 */
export async function purgeBook(audiobooks: Audiobooks, id: string): Promise<void> {
  for (;;) {
    for (const { user_id: user } of await audiobooks.store.list(progress.by.book, { book_id: id })) {
      await catchUp(audiobooks, user);
      await keepCounts(audiobooks, user, () => true);
    }
    if (await audiobooks.store.transact((tx) => purge(tx, id))) return;
  }
}

/** Returns false if somebody listened meanwhile, which must be counted first. */
async function purge(tx: Transaction, id: string): Promise<boolean> {
  const book = await readBook(tx, id);
  if (book === undefined) return true;
  const listened = await eventsOf(tx, id);
  for (const { user_id: user, seq } of listened) {
    if (seq > ((await tx.get(userTallies, { side: 'kept', user }))?.seq ?? 0)) return false;
  }
  for (const segment of await allSegments(tx, id)) await removeSegment(tx, segment);
  for (const map of await tx.list(durationMaps, { book_id: id })) {
    await tx.delete(durationMaps, { book_id: id, generation: map.generation });
  }
  for (const asset of await tx.list(assets.by.book, { book_id: id })) {
    await tx.delete(assets, { id: asset.id });
  }
  for (const entry of await tx.list(history, { book_id: id })) {
    await tx.delete(history, { book_id: id, field: entry.field, id: entry.id });
  }
  // First subtract this book's counts from its work.
  await removeBook(tx, book);
  await purgeListening(tx, id, listened);
  return true;
}

async function eventsOf(tx: Transaction, id: string): Promise<readonly PlaybackEvent[]> {
  const found: PlaybackEvent[] = [];
  for (const { user_id: user } of await tx.list(progress.by.book, { book_id: id })) {
    found.push(...(await tx.list(playbackEvents, { user_id: user, book_id: id })));
  }
  return found;
}

async function purgeListening(tx: Transaction, id: string, listened: readonly PlaybackEvent[]): Promise<void> {
  for (const event of listened) await removeEvent(tx, event);
  for (const { user_id: user } of await tx.list(progress.by.book, { book_id: id })) {
    await tx.delete(progress, { user_id: user, book_id: id });
    await tx.delete(jumps, { user_id: user, book_id: id });
    await forgetBookPreferences(tx, user, id);
  }
  for (const bookmark of await tx.list(bookmarks.by.book, { book_id: id })) {
    await tx.delete(bookmarks, { user_id: bookmark.user_id, book_id: id, id: bookmark.id });
  }
  // Gaps in playlist positions are harmless.
  for (const place of await itemsWithBook(tx, id, undefined)) await tx.delete(playlistItems, place);
  tx.writeKey(bookPlays.template.encode({ book: id }), undefined);
  tx.writeKey(bookListenSeconds.template.encode({ book: id }), undefined);
}
