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
import { removeEvent } from '../../store/events.ts';
import { forgetBookPreferences } from '../../store/preferences.ts';
import { allSegments, removeSegment } from '../../store/segments.ts';
import { type Catalogue, makerOf } from '../catalogue.ts';
import { placesOf } from '../playlists/items.ts';
import { resolveBook, resolveDeletedBook } from '../queries/resolve.ts';
import { catchUp } from '../statistics/catch-up.ts';
import { keepCounts } from '../statistics/prune.ts';

/**
 * Out of every list, but nothing is lost: files, progress and history stay. No scan brings it back, whatever happens to
 * its files; `restoreBook` does.
 */
export function deleteBook(catalogue: Catalogue, given: string): Promise<Book> {
  const maker = makerOf(catalogue);
  return catalogue.store.transact(async (transaction) => {
    const book = await resolveBook(transaction, given);
    return writeBook(transaction, book, { ...book, deleted_at: maker.at }, maker);
  });
}

export function restoreBook(catalogue: Catalogue, given: string): Promise<Book> {
  const maker = makerOf(catalogue);
  return catalogue.store.transact(async (transaction) => {
    const book = await resolveDeletedBook(transaction, given);
    return writeBook(transaction, book, { ...book, deleted_at: null }, maker);
  });
}

/**
 * For good, with everything that belongs to it. Files are not touched, and neither is the time that was listened: it is
 * counted and kept before its events go.
 */
export async function purgeBook(catalogue: Catalogue, id: string): Promise<void> {
  for (;;) {
    for (const { user_id: user } of await catalogue.store.list(progress.by.book, { book_id: id })) {
      await catchUp(catalogue, user);
      await keepCounts(catalogue, user, () => true);
    }
    if (await catalogue.store.transact((transaction) => purge(transaction, id))) return;
  }
}

/** False when somebody listened meanwhile: then that has to be counted first. */
async function purge(transaction: Transaction, id: string): Promise<boolean> {
  const book = await readBook(transaction, id);
  if (book === undefined) return true;
  const listened = await eventsOf(transaction, id);
  for (const { user_id: user, seq } of listened) {
    if (seq > ((await transaction.get(userTallies, { side: 'kept', user }))?.seq ?? 0)) return false;
  }
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
  await purgeListening(transaction, id, listened);
  return true;
}

async function eventsOf(transaction: Transaction, id: string): Promise<readonly PlaybackEvent[]> {
  const found: PlaybackEvent[] = [];
  for (const { user_id: user } of await transaction.list(progress.by.book, { book_id: id })) {
    found.push(...(await transaction.list(playbackEvents, { user_id: user, book_id: id })));
  }
  return found;
}

async function purgeListening(transaction: Transaction, id: string, listened: readonly PlaybackEvent[]): Promise<void> {
  for (const event of listened) await removeEvent(transaction, event);
  for (const { user_id: user } of await transaction.list(progress.by.book, { book_id: id })) {
    await transaction.delete(progress, { user_id: user, book_id: id });
    await transaction.delete(jumps, { user_id: user, book_id: id });
    await forgetBookPreferences(transaction, user, id);
  }
  for (const bookmark of await transaction.list(bookmarks.by.book, { book_id: id })) {
    await transaction.delete(bookmarks, { user_id: bookmark.user_id, book_id: id, id: bookmark.id });
  }
  // The gaps that are left in playlists do no harm.
  for (const place of await placesOf(transaction, id, undefined)) await transaction.delete(playlistItems, place);
  transaction.writeKey(bookPlays.template.encode({ book: id }), undefined);
  transaction.writeKey(bookListenSeconds.template.encode({ book: id }), undefined);
}
