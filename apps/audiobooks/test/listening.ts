import type { Audiobooks } from '../src/service/audiobooks.ts';
import { percentOf } from '../src/model/timeline.ts';
import { progress } from '../src/store/definitions.ts';
import { activeSegments } from '../src/store/timelines.ts';
import { readBook } from '../src/store/books.ts';

/** Stores a listening position: `seconds` into the file with this index. */
export async function listenTo(
  audiobooks: Audiobooks,
  bookId: string,
  order: number,
  seconds: number,
  user = 'U',
): Promise<void> {
  const active = await activeSegments(audiobooks.store, bookId);
  const book = await readBook(audiobooks.store, bookId);
  const before = active.slice(0, order).reduce((sum, segment) => sum + segment.duration_ms, 0);
  const position = before + Math.round(seconds * 1_000);
  await audiobooks.store.transact((tx) =>
    tx.put(
      progress,
      { user_id: user, book_id: bookId },
      {
        user_id: user,
        book_id: bookId,
        segment_id: active[order]!.id,
        position_seconds: seconds,
        book_position_ms: position,
        generation: book!.generation,
        percent_complete: percentOf(position, book!.duration_ms),
        finished: false,
        completions: 0,
        cycle: 0,
        started: true,
        play_speed: 1,
        device_id: null,
        finished_at: null,
        restarted_from: null,
        restarted_to: null,
        cleared_at: null,
        updated_at: '2026-01-01T00:00:00.000Z',
        revision: 0,
        version: 1,
      },
    ),
  );
}

export function progressOf(audiobooks: Audiobooks, bookId: string, user = 'U') {
  return audiobooks.store.get(progress, { user_id: user, book_id: bookId });
}
