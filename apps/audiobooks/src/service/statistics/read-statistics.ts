import { DAY, isHoldfastError } from '@holdfast/base';
import type { Reads } from '@holdfast/keyspace';
import type { Caller, ObjectValue } from '@holdfast/operation';
import type { Book } from '../../model/book.ts';
import { audiobookErrors } from '../../model/errors.ts';
import { type DayTally, measure, measureTogether, type Span } from '../../model/tally.ts';
import { addDays, dateIn, daysIn, isTimeZone, type LocalDay } from '../../model/time-zone.ts';
import type { statisticsPeriod } from '../../operations/statistics.ts';
import { books, dayTallies, userListenSeconds, userTallies, works } from '../../store/definitions.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { type Listener, readerOf } from '../listener.ts';
import { bookRowOf, bookRows } from '../views.ts';
import { catchUp, listeningUsers, seconds } from './count.ts';

export async function showStatistics(
  audiobooks: Audiobooks,
  input: ObjectValue<typeof statisticsPeriod>,
  caller: Caller,
) {
  const { from, to, time_zone: zone } = input;
  requireTimeZone(zone);
  for (const date of [from, to]) if (date !== undefined) requireDate(date);
  const listener = await readerOf(audiobooks, caller);
  const year = lastYear(audiobooks.now(), zone);
  const found = await statisticsOf(audiobooks, listener, { from: from ?? year.from, to: to ?? year.to, zone });
  return statisticsView(audiobooks.reader, found, listener.userId);
}

function requireTimeZone(zone: string): void {
  if (isTimeZone(zone)) return;
  throw audiobookErrors.FIELD_INVALID(`There is no time zone ${zone}.`, { hint: 'For example Europe/Berlin, or UTC.' });
}

function requireDate(date: string): void {
  if (/^\d{4}-\d{2}-\d{2}$/u.test(date) && !Number.isNaN(Date.parse(date))) return;
  throw audiobookErrors.FIELD_INVALID(`"${date}" is not a date such as 2026-01-31.`);
}

async function statisticsView(reads: Reads, found: Statistics, userId: string) {
  const known = found.books.map(({ book }) => book).filter((book) => book !== null);
  const rows = new Map((await bookRows(reads, known, userId)).map((row) => [row.id, row]));
  return {
    ...found,
    books: found.books.map((entry) => ({ ...entry, book: rows.get(entry.book?.id ?? '') ?? null })),
  };
}

export async function showYear(
  audiobooks: Audiobooks,
  input: { readonly year: number; readonly time_zone: string },
  caller: Caller,
) {
  const { year, time_zone: zone } = input;
  requireTimeZone(zone);
  const listener = await readerOf(audiobooks, caller);
  const { reader } = audiobooks;
  const found = await yearReview(audiobooks, listener, year, zone);
  const row = async (book: Book | null) => (book === null ? null : bookRowOf(reader, book, listener.userId));
  return {
    ...found,
    ...(await statisticsView(reader, found, listener.userId)),
    first_book: await row(found.first_book),
    last_book: await row(found.last_book),
  };
}

export async function listListeners(audiobooks: Audiobooks) {
  const data = [];
  for await (const user of listeningUsers(audiobooks)) {
    await countNew(audiobooks, user);
    const tally = await audiobooks.reader.get(userTallies, { side: 'now', user });
    data.push({
      user_id: user,
      listen_seconds: await audiobooks.reader.get(userListenSeconds, { user }),
      plays: tally?.plays ?? 0,
      finished: tally?.finished ?? 0,
    });
  }
  return { data, next_cursor: null };
}

/** Counts new events. Stops before a damaged record; after a repair, the next call counts the remaining events. */
async function countNew(audiobooks: Audiobooks, user: string): Promise<void> {
  try {
    await catchUp(audiobooks, user);
  } catch (error) {
    if (!isHoldfastError(error, 'VALUE_UNREADABLE')) throw error;
    audiobooks.onDamaged(error);
  }
}

/** Returns the number of seconds that a user has listened in all years. */
export async function totalListenSeconds(audiobooks: Audiobooks, { userId: user }: Listener): Promise<number> {
  await countNew(audiobooks, user);
  return audiobooks.reader.get(userListenSeconds, { user });
}

/** First and last day, inclusive, as YYYY-MM-DD in `zone`. */
interface Period {
  readonly from: string;
  readonly to: string;
  readonly zone: string;
}

/** Returns the last 365 days, including today. */
export function lastYear(now: number, zone: string): Period {
  const to = dateIn(zone)(now);
  return { from: addDays(to, -364), to, zone };
}

interface ListenedDay {
  readonly date: string;
  /** Total over all books; overlapping listening counts once. */
  readonly listenMs: number;
  readonly plays: number;
  readonly finished: readonly string[];
  /** In milliseconds since 1970. */
  readonly books: ReadonlyMap<string, readonly Span[]>;
}

/** Returns the listening time per local day of a period. The stored days are in UTC. */
async function daysOf(reads: Reads, user: string, { from, to, zone }: Period): Promise<readonly ListenedDay[]> {
  // Includes one more UTC day on either side. The end of a range is exclusive.
  const bounds = { start: addDays(from, -1), end: addDays(to, 2) };
  const stored = await reads.entries(dayTallies, { side: 'now', user }, bounds);
  const days = new Map<string, Gathered>();
  const daysOfZone = daysIn(zone);
  for (const { key, value } of stored) {
    const midnight = Date.parse(key.date);
    for (const day of daysOfZone(midnight, midnight + DAY)) {
      if (day.date < from || day.date > to) continue;
      const gathered = days.get(day.date) ?? { plays: 0, finished: [], books: new Map() };
      days.set(day.date, gathered);
      gather(gathered, day, midnight, value);
    }
  }
  return [...days]
    .filter(([, day]) => day.plays > 0 || day.finished.length > 0 || day.books.size > 0)
    .map(([date, day]) => ({ date, ...day, listenMs: measureTogether([...day.books.values()]) }));
}

interface Gathered {
  plays: number;
  readonly finished: string[];
  readonly books: Map<string, Span[]>;
}

/** Adds the part of a UTC day that is in a local day. UTC days arrive in order, so spans stay sorted. */
function gather(gathered: Gathered, day: LocalDay, midnight: number, tally: DayTally): void {
  const isIn = (at: number): boolean => midnight + at >= day.from && midnight + at < day.to;
  gathered.plays += tally.plays.filter(isIn).length;
  gathered.finished.push(...tally.finished.filter(({ at }) => isIn(at)).map(({ book }) => book));
  for (const [book, spans] of Object.entries(tally.books)) {
    const parts = spans
      .map(([start, end]): Span => [Math.max(day.from, midnight + start), Math.min(day.to, midnight + end)])
      .filter(([start, end]) => start < end);
    if (parts.length > 0) gathered.books.set(book, [...(gathered.books.get(book) ?? []), ...parts]);
  }
}

export interface Statistics {
  readonly listen_seconds: number;
  readonly plays: number;
  readonly finished: number;
  readonly days: readonly DayStatistics[];
  /** Most listened first. `book` is null if the book is deleted or no longer visible. */
  readonly books: readonly { readonly book: Book | null; readonly seconds: number }[];
  readonly works: readonly Named[];
  readonly authors: readonly Named[];
  readonly narrators: readonly { readonly name: string; readonly seconds: number }[];
}

interface DayStatistics {
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
 * Returns the listening time in a period. Assigns time to authors, narrators and works according to the current books,
 * so that merged and renamed ones keep their time.
 */
export async function statisticsOf(audiobooks: Audiobooks, listener: Listener, period: Period): Promise<Statistics> {
  await countNew(audiobooks, listener.userId);
  return audiobooks.reader.snapshot(async (reads) => {
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

interface YearReview extends Statistics {
  readonly year: number;
  readonly months: readonly { readonly month: string; readonly seconds: number; readonly finished: number }[];
  readonly longest_day: { readonly date: string; readonly seconds: number } | null;
  /** Longest run of days with listening. */
  readonly streak_days: number;
  readonly days_listened: number;
  readonly first_book: Book | null;
  readonly last_book: Book | null;
}

const MONTHS = 12;

async function yearReview(audiobooks: Audiobooks, listener: Listener, year: number, zone: string): Promise<YearReview> {
  const period = { from: `${year}-01-01`, to: `${year}-12-31`, zone };
  const statistics = await statisticsOf(audiobooks, listener, period);
  const listened = statistics.days.filter((day) => day.seconds > 0);
  const [first, last] = await audiobooks.reader.snapshot(async (reads) => {
    const days = await daysOf(reads, listener.userId, period);
    const played = days.filter((day) => day.books.size > 0);
    const seen = async (id: string | undefined): Promise<Book | null> => {
      const book = id === undefined ? undefined : await reads.get(books, { id });
      return book !== undefined && listener.sees(book) ? book : null;
    };
    return [await seen(edgeBook(played[0]?.books, 'first')), await seen(edgeBook(played.at(-1)?.books, 'last'))];
  });
  return {
    ...statistics,
    year,
    months: monthsOf(year, statistics.days),
    longest_day: longest(listened),
    streak_days: streak(listened.map(({ date }) => date)),
    days_listened: listened.length,
    first_book: first ?? null,
    last_book: last ?? null,
  };
}

function edgeBook(played: ListenedDay['books'] = new Map(), edge: 'first' | 'last'): string | undefined {
  const times = [...played].map(([id, spans]) =>
    edge === 'first' ? ([id, spans[0]?.[0] ?? 0] as const) : ([id, -(spans.at(-1)?.[1] ?? 0)] as const),
  );
  return times.sort(([, left], [, right]) => left - right)[0]?.[0];
}

function monthsOf(year: number, days: readonly DayStatistics[]): YearReview['months'] {
  return Array.from({ length: MONTHS }, (_, index) => {
    const month = `${year}-${String(index + 1).padStart(2, '0')}`;
    const own = days.filter(({ date }) => date.startsWith(month));
    return {
      month,
      seconds: sum(own.map((day) => day.seconds)),
      finished: sum(own.map(({ finished }) => finished.length)),
    };
  });
}

function longest(days: readonly DayStatistics[]): YearReview['longest_day'] {
  const [best] = [...days].sort((left, right) => right.seconds - left.seconds);
  return best === undefined ? null : { date: best.date, seconds: best.seconds };
}

function streak(dates: readonly string[]): number {
  let [best, run, before] = [0, 0, Number.NaN];
  for (const date of dates) {
    const day = Date.parse(`${date}T00:00:00.000Z`);
    run = day - before === DAY ? run + 1 : 1;
    best = Math.max(best, run);
    before = day;
  }
  return best;
}
