import { DAY } from '@holdfast/base';
import type { Reads } from '@holdfast/keyspace';
import { measureTogether, type Span } from '../../model/listening-time.ts';
import type { DayTally } from '../../model/tally.ts';
import { addDays, dateIn, daysIn, type LocalDay } from '../../model/time-zone.ts';
import { dayTallies } from '../../store/definitions.ts';

/** First and last day, inclusive, as YYYY-MM-DD in `zone`. */
export interface Period {
  readonly from: string;
  readonly to: string;
  readonly zone: string;
}

/** The last 365 days, including today. */
export function lastYear(now: number, zone: string): Period {
  const to = dateIn(zone)(now);
  return { from: addDays(to, -364), to, zone };
}

export interface ListenedDay {
  readonly date: string;
  /** Over all books, counting overlaps once. */
  readonly listenMs: number;
  readonly plays: number;
  readonly finished: readonly string[];
  /** In milliseconds since 1970. */
  readonly books: ReadonlyMap<string, readonly Span[]>;
}

/** Returns listening per local day of a period. Stored days are in UTC. */
export async function daysOf(reads: Reads, user: string, { from, to, zone }: Period): Promise<readonly ListenedDay[]> {
  // Include one more UTC day on either side; the end of a range is exclusive.
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
    .filter(([, { plays, finished, books }]) => plays > 0 || finished.length > 0 || books.size > 0)
    .map(([date, day]) => ({ date, ...day, listenMs: measureTogether([...day.books.values()]) }));
}

interface Gathered {
  plays: number;
  readonly finished: string[];
  readonly books: Map<string, Span[]>;
}

/** Adds the part of a UTC day that falls into a local day. UTC days arrive in order, so spans stay sorted. */
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
