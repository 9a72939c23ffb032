import type { EncodedFile } from '../src/model/engines.ts';
import type { Audiobooks } from '../src/service/audiobooks.ts';
import { localListener } from '../src/service/listener.ts';
import { type Recorded, recordPlayback, type Report } from '../src/service/listening/record-playback.ts';
import { switchBack, type Switched, switchSegments } from '../src/service/merge/switch-segments.ts';
import { books } from '../src/store/definitions.ts';
import { insertOperation, makeOperation } from '../src/store/operations.ts';
import { activeSegments } from '../src/store/timelines.ts';
import { scanFinds, scannedBook, scannedFile } from './audiobooks.ts';

/** Helpers for playback reports, and for merges that change only the database and encode nothing. */

export const NOON: number = Date.UTC(2026, 5, 1, 12);
const MINUTE = 60_000;

let numbers = 0;

/** A book of three files (10, 20 and 30 minutes) in its own library. */
export async function newBook(audiobooks: Audiobooks, title = 'Story'): Promise<string> {
  const number = (numbers += 10);
  const files = [1, 2, 3].map((part) =>
    scannedFile(`B${number}/${part}.mp3`, number + part, { durationMs: part * 10 * MINUTE }),
  );
  await scanFinds(audiobooks, [scannedBook(`B${number}`, files, { title: `${title} ${number}` })], `/library${number}`);
  const [book] = await audiobooks.store.list(books.by.title, { normalized_title: `${title.toLowerCase()} ${number}` });
  return book!.id;
}

export function report(book: string, id: string, seconds: number, more: Partial<Report> = {}): Report {
  return {
    event_id: id,
    book_id: book,
    event_type: 'progress',
    position_ms: seconds * 1_000,
    occurred_at: new Date(NOON + seconds * 1_000).toISOString(),
    play_speed: 1,
    device_id: 'phone',
    session_id: 's',
    ...more,
  };
}

export function tell(
  audiobooks: Audiobooks,
  reports: readonly Report[],
  user = 'U',
  sentAt?: string,
): Promise<Recorded> {
  return recordPlayback(audiobooks, localListener(user), reports, sentAt);
}

/**
 * Returns reports for every 15 seconds of playback, which covers the first `seconds` seconds of the book. `from` is the
 * start of the playback, in seconds after noon.
 */
export function listened(
  book: string,
  name: string,
  from: number,
  seconds: number,
  more: Partial<Report> = {},
): Report[] {
  return Array.from({ length: Math.floor(seconds / 15) + 1 }, (_, step) =>
    report(book, `${name}-${step}`, from + step * 15, {
      event_type: step === 0 ? 'start' : 'progress',
      position_ms: step * 15_000,
      ...more,
    }),
  );
}

async function newOperation(audiobooks: Audiobooks): Promise<string> {
  const request = { type: 'merge', target: audiobooks.newId(), params: {}, createdBy: 'test' } as const;
  const operation = makeOperation(request, audiobooks.newId(), '2026-01-01T00:00:00.000Z');
  return (await insertOperation(audiobooks.store, operation)).id;
}

/** Encoders add a little padding to each file. */
export const ADDED_MS = 40;

export async function mergeFiles(audiobooks: Audiobooks, bookId: string): Promise<Switched> {
  const book = (await audiobooks.store.get(books, { id: bookId }))!;
  let start = 0;
  const offsets = (await activeSegments(audiobooks.store, bookId)).map((segment) => {
    const offset = { segmentId: segment.id, startMs: start, durationMs: segment.duration_ms + ADDED_MS };
    start += offset.durationMs;
    return offset;
  });
  const number = (numbers += 1);
  const file = scannedFile(`merged/${number}.m4b`, 1_000_000 + number, { durationMs: start, format: 'm4b' });
  const encoded: readonly EncodedFile[] = [{ file, offsets, originals: [] }];
  const operationId = await newOperation(audiobooks);
  return switchSegments(audiobooks, { bookId, generation: book.generation, encoded, operationId });
}

export async function takeBack(audiobooks: Audiobooks, switched: Switched): Promise<void> {
  const restored = switched.old_segments.map(({ id, path }, index) => ({
    bookId: switched.book_id,
    segmentId: id,
    from: path,
    to: path,
    signature: scannedFile(path, (numbers += 1) + index),
  }));
  await switchBack(audiobooks, { switched, restored, operationId: await newOperation(audiobooks) });
}
