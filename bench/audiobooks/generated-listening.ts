import { catchUp, browseBooks, localListener, type PlaybackEvent, recordPlayback, schema } from '@holdfast/audiobooks';
import { ulidSource } from '@holdfast/keyspace';

import type { Generated } from './generated.ts';

/** The first of the listeners makes the requests. */
const LISTENERS = 20;
const BOOKS_EACH = 20;
const DAYS = 300;
const DAY = 86_400_000;
const CHUNK = 5_000;
const END = Date.UTC(2026, 9, 1);

export const ASKING = 'listener-00';

/**
 * Playback events as players would leave them, spread over 300 days and twenty books per person, written in large
 * commits with the application's keys. Statistics are counted for the requesting listener; everyone has a position in
 * each of their books.
 */
export async function generateListening(
  { audiobooks }: Generated,
  events: number,
  progress: (text: string) => void,
): Promise<void> {
  const { items } = await browseBooks(audiobooks, localListener('bench'), { limit: 2 * BOOKS_EACH });
  const books = items.map(({ id }) => id);
  const newId = ulidSource();
  const each = Math.floor(events / LISTENERS);
  for (let listener = 0; listener < LISTENERS; listener++) {
    const user = `listener-${String(listener).padStart(2, '0')}`;
    for (let first = 0; first < each; first += CHUNK) {
      const writes = new Map<string, string>();
      for (let n = first; n < Math.min(each, first + CHUNK); n++) {
        const made = generatedEvent(user, books[(listener + dayOf(n, each)) % BOOKS_EACH] ?? '', n, each, newId());
        addEvent(writes, made);
      }
      writes.set(schema.eventNumbers.template.encode({ user }), String(Math.min(each, first + CHUNK)));
      const nothing = { base: undefined, reads: new Map(), ranges: [], appends: [], additions: [] };
      await audiobooks.store.engine.commit({ ...nothing, writes });
    }
    await recordPositions(audiobooks, user, books);
    progress(`${user}: ${each} events`);
  }
  await catchUp(audiobooks, ASKING);
}

function perDay(each: number): number {
  return Math.max(1, Math.floor(each / DAYS));
}

function dayOf(n: number, each: number): number {
  return Math.floor(n / perDay(each));
}

function generatedEvent(user: string, book: string, n: number, each: number, id: string): PlaybackEvent {
  const at = new Date(END - DAYS * DAY + dayOf(n, each) * DAY + (n % perDay(each)) * 15_000).toISOString();
  return {
    id,
    user_id: user,
    book_id: book,
    segment_id: id,
    position_seconds: n % 60,
    book_position_ms: (n * 15_000) % 600_000,
    generation: 1,
    event_type: 'progress',
    play_speed: 1,
    client_event_id: `made-${n}`,
    device_id: 'bench',
    session_id: 'bench',
    seq: n + 1,
    book_duration_ms: 600_000,
    cycle: 0,
    finishes: false,
    occurred_at: at,
    created_at: at,
    version: 1,
  };
}

function addEvent(writes: Map<string, string>, event: PlaybackEvent): void {
  const key = { user_id: event.user_id, book_id: event.book_id, id: event.id };
  writes.set(schema.playbackEvents.template.encode(key), JSON.stringify(event));
  for (const index of schema.playbackEvents.indexes) {
    for (const [name, value] of index.entries(event, key)) writes.set(name, value);
  }
  const named = { user: event.user_id, client_event_id: event.client_event_id ?? '' };
  writes.set(schema.eventIds.template.encode(named), `${event.book_id}:${event.id}`);
}

/** Every third book is finished. */
async function recordPositions(
  audiobooks: Generated['audiobooks'],
  user: string,
  books: readonly string[],
): Promise<void> {
  const reports = books.slice(0, BOOKS_EACH).map((book, number) => ({
    event_id: `place-${number}`,
    book_id: book,
    event_type: number % 3 === 0 ? ('complete' as const) : ('progress' as const),
    position_ms: number % 3 === 0 ? 600_000 : 200_000,
    occurred_at: new Date(END + number * 60_000).toISOString(),
    play_speed: 1,
    device_id: 'bench',
    session_id: `place-${number}`,
  }));
  await recordPlayback(audiobooks, localListener(user), reports);
}
