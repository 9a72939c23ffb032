import { ulidOfUuid } from '../../model/audiobookshelf/ids.ts';
import type { OperationContext } from '../../model/engines.ts';
import type { Playlist } from '../../model/records.ts';
import { toTime } from '../../model/stored.ts';
import type { AudiobookshelfData } from '../../store/audiobookshelf-database.ts';
import { readBook } from '../../store/books.ts';
import { bookmarks, playlistItems, playlists, progress } from '../../store/definitions.ts';
import { type Audiobooks, stampFor } from '../audiobooks.ts';
import { recordLocalSession } from '../audiobookshelf/playback.ts';
import { localListener } from '../listener.ts';
import { addBookmark } from '../listening/bookmarks.ts';
import { recordPlayback } from '../listening/record-playback.ts';

interface Imported {
  readonly data: AudiobookshelfData;
  /** Our ids for users, books and items, by their ids in Audiobookshelf. */
  readonly users: ReadonlyMap<string, string>;
  readonly books: ReadonlyMap<string, string | undefined>;
  readonly items: ReadonlyMap<string, string>;
}

const GAP = 1_024;

/** Imports playlists, and collections as shared playlists. A list that an earlier import created stays as it is. */
export async function importLists(audiobooks: Audiobooks, { data, users, books }: Imported): Promise<number> {
  const shared = data.collections.map((list) => ({ list, user: null, items: data.collectionBooks }));
  const own = data.playlists.map((list) => ({ list, user: users.get(list.userId ?? ''), items: data.playlistBooks }));
  let created = 0;
  for (const { list, user, items } of [...shared, ...own]) {
    if (user === undefined) continue;
    const { at } = stampFor(audiobooks);
    const id = ulidOfUuid(list.id);
    const playlist: Playlist = {
      id,
      name: list.name.trim() || 'Untitled',
      user_id: user,
      kind: 'manual',
      query: null,
      created_at: list.createdAt === undefined ? at : toTime(list.createdAt),
      updated_at: at,
      revision: 0,
      version: 1,
    };
    const found = items.filter(({ listId }) => listId === list.id).flatMap(({ bookId }) => books.get(bookId) ?? []);
    const isNew = await audiobooks.store.transact(async (tx) => {
      if ((await tx.get(playlists, { id })) !== undefined) return false;
      await tx.put(playlists, { id }, playlist);
      for (const [index, book] of [...new Set(found)].entries()) {
        const item = { book_id: book, added_at: at, version: 1 } as const;
        await tx.put(playlistItems, { playlist: id, position: (index + 1) * GAP }, item);
      }
      return true;
    });
    if (isNew) created += 1;
  }
  return created;
}

export async function importListening(audiobooks: Audiobooks, imported: Imported, context: OperationContext) {
  return {
    sessions: await importSessions(audiobooks, imported, context),
    progress: await importProgress(audiobooks, imported, context),
    bookmarks: await importBookmarks(audiobooks, imported),
  };
}

const toMs = (seconds: number | null | undefined): number => Math.max(0, Math.round((seconds ?? 0) * 1_000));

/** Imports listening sessions; their time counts in the statistics. Counts each id once, even in repeated imports. */
async function importSessions(
  audiobooks: Audiobooks,
  { data, users, books }: Imported,
  context: OperationContext,
): Promise<number> {
  let count = 0;
  for (const [index, session] of data.sessions.entries()) {
    context.signal.throwIfAborted();
    context.progress(index, data.sessions.length, 'sessions');
    const { createdAt, updatedAt, deviceId, clientName, deviceName } = session;
    const user = users.get(session.userId);
    const ours = books.get(session.mediaItemId);
    const book = ours === undefined ? undefined : await readBook(audiobooks.store, ours);
    if (user === undefined || createdAt === undefined || updatedAt === undefined || (book?.segment_count ?? 0) === 0) {
      continue;
    }
    await recordLocalSession(audiobooks, localListener(user), book!, {
      id: session.id,
      startedAtMs: createdAt,
      updatedAtMs: updatedAt,
      positionMs: toMs(session.currentTime),
      totalListenedMs: toMs(session.timeListening),
      device: {
        deviceId: deviceId ?? 'audiobookshelf',
        clientName: clientName ?? null,
        deviceName: deviceName ?? null,
      },
      mediaPlayer: session.mediaPlayer ?? 'unknown',
      isClosed: true,
    });
    count += 1;
  }
  return count;
}

/**
 * Imports positions with the time at which Audiobookshelf stored them. If the position in Holdfast is newer, keeps it.
 */
async function importProgress(
  audiobooks: Audiobooks,
  { data, users, books }: Imported,
  context: OperationContext,
): Promise<number> {
  let count = 0;
  for (const entry of data.progress) {
    context.signal.throwIfAborted();
    const [user, book] = [users.get(entry.userId), books.get(entry.mediaItemId)];
    const at = entry.isFinished ? (entry.finishedAt ?? entry.updatedAt) : entry.updatedAt;
    if (user === undefined || book === undefined || at === undefined) continue;
    const { accepted } = await recordPlayback(audiobooks, localListener(user), [
      {
        event_id: `audiobookshelf:${entry.id}:${at}`,
        book_id: book,
        event_type: entry.isFinished ? 'complete' : 'progress',
        position_ms: toMs(entry.currentTime),
        occurred_at: toTime(at),
        play_speed: 1,
        device_id: 'audiobookshelf',
        session_id: `audiobookshelf:${entry.id}`,
        listened_ms: 0,
      },
    ]);
    if (accepted > 0 && entry.hideFromContinueListening) {
      const key = { user_id: user, book_id: book };
      await audiobooks.store.transact((tx) => tx.update(progress, key, (known) => ({ ...known, hidden: true })));
    }
    count += accepted;
  }
  return count;
}

/** Imports bookmarks. Skips a bookmark if the user has one at the same second of the same book. */
async function importBookmarks(audiobooks: Audiobooks, { data, users, items }: Imported): Promise<number> {
  let count = 0;
  for (const { id, bookmarks: marks } of data.users) {
    const user = users.get(id);
    for (const { libraryItemId, time, title } of user === undefined ? [] : marks) {
      const ours = items.get(libraryItemId.toLowerCase());
      const book = ours === undefined ? undefined : await readBook(audiobooks.store, ours);
      if (user === undefined || book === undefined || book.segment_count === 0) continue;
      const known = await audiobooks.store.list(bookmarks, { user_id: user, book_id: book.id });
      const second = Math.floor(time);
      if (known.some((mark) => Math.floor(mark.book_position_ms / 1_000) === second)) continue;
      await addBookmark(audiobooks, localListener(user), book.id, { position_ms: toMs(time), note: title ?? '' });
      count += 1;
    }
  }
  return count;
}
