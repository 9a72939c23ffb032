import { SECOND } from '@holdfast/base';
import type { Book } from '../../model/book.ts';
import type { Bookmark } from '../../model/playback.ts';
import { toTime } from '../../model/stored.ts';
import { bookmarks, progress } from '../../store/definitions.ts';
import type { Audiobooks } from '../audiobooks.ts';
import type { Listener } from '../listener.ts';
import { addBookmark, changeBookmark, removeBookmark } from '../listening/bookmarks.ts';
import { setProgress } from '../listening/progress.ts';
import { recordPlayback } from '../listening/record-playback.ts';

/** Changes to positions and bookmarks that a listener makes in a client, as opposed to reports from a player. */

export interface PositionChange {
  readonly finished?: boolean | undefined;
  readonly positionMs?: number | undefined;
  readonly isHidden?: boolean | undefined;
  /** Time of the change, if the client sends it. Clients round it down to seconds. */
  readonly atMs?: number | undefined;
}

/** Applies a change, unless the stored position is newer than the change. */
export async function changePosition(
  audiobooks: Audiobooks,
  listener: Listener,
  book: Book,
  { finished, positionMs, isHidden, atMs }: PositionChange,
): Promise<void> {
  const key = { user_id: listener.userId, book_id: book.id };
  const stored = await audiobooks.store.get(progress, key);
  const isStale = atMs !== undefined && stored !== undefined && atMs + SECOND <= Date.parse(stored.updated_at);
  if (isStale) return;
  const isReopened = finished === false && stored?.finished === true;
  if (finished === true || isReopened) {
    const position = isReopened ? 0 : positionMs;
    await setProgress(audiobooks, listener, book.id, {
      finished,
      ...(position === undefined ? {} : { position_ms: position }),
    });
  } else if (positionMs !== undefined && atMs !== undefined) {
    await recordPlayback(audiobooks, listener, [
      {
        event_id: `${book.id}:${Math.round(atMs)}:${positionMs}`,
        book_id: book.id,
        event_type: 'seek',
        position_ms: positionMs,
        occurred_at: toTime(Math.max(atMs, stored === undefined ? atMs : Date.parse(stored.updated_at))),
        play_speed: 1,
        device_id: 'audiobookshelf',
      },
    ]);
  } else if (positionMs !== undefined) {
    await setProgress(audiobooks, listener, book.id, { position_ms: positionMs });
  }
  if (isHidden !== undefined) {
    await audiobooks.store.transact((tx) => tx.update(progress, key, (entry) => ({ ...entry, hidden: isHidden })));
  }
}

/** Returns the listener's bookmarks in the given second of a book. */
async function bookmarksAt({ reader }: Audiobooks, { userId }: Listener, book: Book, second: number) {
  const all = await reader.list(bookmarks, { user_id: userId, book_id: book.id });
  return all.filter(({ book_position_ms: position }) => Math.floor(position / SECOND) === Math.floor(second));
}

/** Adds a bookmark, or renames the one in the same second, because clients identify a bookmark by its second. */
export async function putBookmark(
  audiobooks: Audiobooks,
  listener: Listener,
  book: Book,
  mark: { readonly second: number; readonly note: string },
): Promise<Bookmark> {
  const { second, note } = mark;
  const [known] = await bookmarksAt(audiobooks, listener, book, second);
  return known === undefined
    ? addBookmark(audiobooks, listener, book.id, { position_ms: Math.floor(second) * SECOND, note })
    : changeBookmark(audiobooks, listener, known.id, { note });
}

export async function dropBookmark(
  audiobooks: Audiobooks,
  listener: Listener,
  book: Book,
  second: number,
): Promise<void> {
  for (const { id } of await bookmarksAt(audiobooks, listener, book, second))
    await removeBookmark(audiobooks, listener, id);
}
