import type { Reads } from '@holdfast/keyspace';
import type { Playlist } from '../../model/playlist.ts';
import { playlistItems } from '../../store/definitions.ts';
import { type Listener, seenBook } from '../listening/listener.ts';

/** Which of these playlists have a book in their order; a question is not asked for it. One look for each of them. */
export async function withBook(
  reads: Reads,
  listener: Listener,
  book: string,
  among: readonly Playlist[],
): Promise<ReadonlySet<string>> {
  await seenBook(reads, listener, book);
  const found = await Promise.all(
    among.map(({ id }) => reads.list(playlistItems.by.book, { book_id: book, playlist: id }, { limit: 1 })),
  );
  return new Set(among.filter((_, index) => found[index]?.length === 1).map(({ id }) => id));
}
