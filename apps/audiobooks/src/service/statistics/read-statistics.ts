import type { Reads } from '@holdfast/keyspace';
import type { Book } from '../../model/book.ts';
import { measure } from '../../model/listening-time.ts';
import { books, works } from '../../store/definitions.ts';
import type { Audiobooks } from '../audiobooks.ts';
import type { Listener } from '../listener.ts';
import { catchUp, seconds } from './catch-up.ts';
import { daysOf, type ListenedDay, type Period } from './listened-days.ts';

export interface Statistics {
  readonly listen_seconds: number;
  readonly plays: number;
  readonly finished: number;
  readonly days: readonly DayStatistics[];
  /** Most listened first; `book` is null if it is gone or no longer visible. */
  readonly books: readonly { readonly book: Book | null; readonly seconds: number }[];
  readonly works: readonly Named[];
  readonly authors: readonly Named[];
  readonly narrators: readonly { readonly name: string; readonly seconds: number }[];
}

export interface DayStatistics {
  readonly date: string;
  readonly seconds: number;
  readonly finished: readonly string[];
}

interface Named {
  readonly id: string;
  readonly name: string;
  readonly seconds: number;
}

const TOP = 100;
/**
 * Returns listening in a period. Derives times of authors, narrators and works from the current books, so merged and
 * renamed ones keep their time.
 */
export async function statisticsOf(audiobooks: Audiobooks, listener: Listener, period: Period): Promise<Statistics> {
  await catchUp(audiobooks, listener.userId);
  return audiobooks.store.snapshot(async (reads) => {
    const days = await daysOf(reads, listener.userId, period);
    const times = bookTimes(days);
    const known = await readKnown(reads, listener, [...times.keys()]);
    const ordered = [...times].sort(([, left], [, right]) => right - left);
    return {
      listen_seconds: seconds(sum(days.map(({ listenMs }) => listenMs))),
      plays: sum(days.map(({ plays }) => plays)),
      finished: sum(days.map(({ finished }) => finished.length)),
      days: days.map(({ date, listenMs, finished }) => ({ date, seconds: seconds(listenMs), finished })),
      books: ordered.slice(0, TOP).map(([id, time]) => ({ book: known.get(id) ?? null, seconds: seconds(time) })),
      works: await namedWorks(
        reads,
        grouped(known, times, ({ work_id: work }) => (work === null ? [] : [[work, '']])),
      ),
      authors: top(grouped(known, times, (book) => book.authors.map(({ id, name }) => [id, name]))),
      narrators: top(grouped(known, times, (book) => book.narrators.map((name) => [name, name]))).map(
        ({ name, seconds: time }) => ({ name, seconds: time }),
      ),
    };
  });
}

function bookTimes(days: readonly ListenedDay[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const day of days) {
    for (const [book, spans] of day.books) times.set(book, (times.get(book) ?? 0) + measure(spans));
  }
  return times;
}

async function readKnown(reads: Reads, { sees }: Listener, ids: readonly string[]): Promise<ReadonlyMap<string, Book>> {
  const found = await reads.getMany(
    books,
    ids.map((id) => ({ id })),
  );
  return new Map(found.filter((book) => book !== undefined && sees(book)).map((book) => [book!.id, book!]));
}

type Groups = ReadonlyMap<string, { readonly name: string; readonly time: number }>;

function grouped(
  known: ReadonlyMap<string, Book>,
  times: ReadonlyMap<string, number>,
  groupsOf: (book: Book) => readonly (readonly [id: string, name: string])[],
): Groups {
  const groups = new Map<string, { name: string; time: number }>();
  for (const book of known.values()) {
    for (const [id, name] of groupsOf(book)) {
      const time = (groups.get(id)?.time ?? 0) + (times.get(book.id) ?? 0);
      groups.set(id, { name, time });
    }
  }
  return groups;
}

function top(groups: Groups): readonly Named[] {
  return [...groups]
    .map(([id, { name, time }]) => ({ id, name, seconds: seconds(time) }))
    .sort((left, right) => right.seconds - left.seconds)
    .slice(0, TOP);
}

async function namedWorks(reads: Reads, groups: Groups): Promise<readonly Named[]> {
  const shown = top(groups);
  const found = await reads.getMany(
    works,
    shown.map(({ id }) => ({ id })),
  );
  return shown.map((entry, index) => ({ ...entry, name: found[index]?.title ?? '' }));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
