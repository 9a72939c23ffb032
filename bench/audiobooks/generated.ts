import { join } from 'node:path';
import {
  type Audiobooks,
  browseBooks,
  catchUp,
  libraryAt,
  localListener,
  openAudiobooks,
  type PlaybackEvent,
  recordPlayback,
  type ScannedBook,
  type ScannedFile,
  ScanSession,
  schema,
} from '@holdfast/audiobooks';
import { ulidSource } from '@holdfast/keyspace';

/** A library as a scan would create it, with ten files per folder. The files do not exist on disk. */
export interface Generated {
  readonly audiobooks: Audiobooks;
  readonly books: number;
  readonly close: () => Promise<void>;
}

const FILES = 10;

export async function generateLibrary(
  folder: string,
  name: string,
  books: number,
  progress: (text: string) => void,
): Promise<Generated> {
  const audiobooks = await openAudiobooks({ path: join(folder, `${name}.db`) });
  const library = await libraryAt(audiobooks, '/generated');
  const session = new ScanSession(audiobooks, {
    libraryId: library.id,
    operationId: null,
    by: 'bench',
    exists: () => true,
  });
  for (let number = 0; number < books; number++) {
    const book = generatedBook(number, books);
    await session.receiver.unit({ unit: book.folder, fingerprint: String(number), books: [book], problems: [] });
    if (number % 5_000 === 4_999) progress(`${name}: ${number + 1} of ${books} books`);
  }
  await session.flush();
  return {
    audiobooks,
    books,
    async close() {
      await audiobooks.close();
    },
  };
}

/** Twenty books per author and series, fifty per narrator and per title word. */
function generatedBook(number: number, books: number): ScannedBook {
  const author = `Author Number ${number % Math.ceil(books / 20)}`;
  const folder = `${author}/Book ${number}`;
  const files = Array.from({ length: FILES }, (_, part) =>
    generatedFile(`${folder}/${part}.mp3`, number * FILES + part),
  );
  return {
    folder,
    files,
    title: `Title ${number} word${number % Math.ceil(books / 50)}x`,
    authors: [author],
    narrators: [`Reader ${number % Math.ceil(books / 50)}`],
    series: [
      { name: `Series ${number % Math.ceil(books / 20)}`, sequence: String(1 + Math.floor(number / (books / 20))) },
    ],
    genres: [`Genre ${number % 20}`],
    description: 'A story of some length about something that happened to somebody somewhere.',
    durationMs: FILES * 60_000,
    chapters: [],
    provenance: {},
  };
}

function generatedFile(path: string, number: number): ScannedFile {
  return {
    path,
    device: '1',
    inode: String(number),
    size: 1_000_000 + number,
    mtimeNs: '1700000000000000000',
    quickHash: number.toString(16).padStart(32, '0'),
    format: 'mp3',
    codec: 'mp3',
    stream: { codec: 'mp3', sampleRate: 44_100, channels: 2, profile: '' },
    durationMs: 60_000,
    chapters: [],
    tags: { artists: [], albumArtists: [], composers: [], narrators: [], genres: [] },
    track: number % FILES,
  };
}

/** Number of listeners. The first one makes the requests. */
const LISTENERS = 20;
const BOOKS_EACH = 20;
const DAYS = 300;
const DAY = 86_400_000;
const CHUNK = 5_000;
const END = Date.UTC(2026, 9, 1);

export const ASKING = 'listener-00';

/**
 * Generates playback events as players would write them, spread over 300 days and over twenty books per listener.
 * Writes them in large commits, under the application's keys. Statistics exist only for the listener that makes the
 * requests. Every listener has a position in each of their books.
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

/** Records a position in each book. Every third book is finished. */
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
