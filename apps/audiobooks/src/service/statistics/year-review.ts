import { DAY } from '@holdfast/base';
import type { Book } from '../../model/book.ts';
import { books } from '../../store/definitions.ts';
import type { Audiobooks } from '../audiobooks.ts';
import type { Listener } from '../listener.ts';
import { daysOf, type ListenedDay } from './listened-days.ts';
import { type DayStatistics, type Statistics, statisticsOf } from './read-statistics.ts';

export interface YearReview extends Statistics {
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

export async function yearReview(
  audiobooks: Audiobooks,
  listener: Listener,
  year: number,
  zone: string,
): Promise<YearReview> {
  const period = { from: `${year}-01-01`, to: `${year}-12-31`, zone };
  const statistics = await statisticsOf(audiobooks, listener, period);
  const listened = statistics.days.filter(({ seconds }) => seconds > 0);
  const [first, last] = await audiobooks.store.snapshot(async (reads) => {
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
      seconds: own.reduce((sum, { seconds }) => sum + seconds, 0),
      finished: own.reduce((sum, { finished }) => sum + finished.length, 0),
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
