import type { statisticsPeriod } from '../../operations/statistics.ts';
import type { Reads } from '@holdfast/keyspace';
import type { Caller, ObjectValue } from '@holdfast/operation';
import type { Book } from '../../model/book.ts';
import { audiobookErrors } from '../../model/errors.ts';
import { isTimeZone } from '../../model/time-zone.ts';
import { userListenSeconds, userTallies } from '../../store/definitions.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { readerOf } from '../listener.ts';
import { catchUp, listeningUsers } from '../statistics/count.ts';
import { lastYear, type Statistics, statisticsOf, yearReview } from '../statistics/read-statistics.ts';
import { bookRowOf, bookRows } from '../views.ts';

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
  return statisticsView(audiobooks.store, found, listener.userId);
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
    books: found.books.map(({ book, seconds }) => ({ book: rows.get(book?.id ?? '') ?? null, seconds })),
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
  const { store } = audiobooks;
  const found = await yearReview(audiobooks, listener, year, zone);
  const row = async (book: Book | null) => (book === null ? null : bookRowOf(store, book, listener.userId));
  return {
    ...found,
    ...(await statisticsView(store, found, listener.userId)),
    first_book: await row(found.first_book),
    last_book: await row(found.last_book),
  };
}

export async function listListeners(audiobooks: Audiobooks) {
  const data = [];
  for await (const user of listeningUsers(audiobooks)) {
    await catchUp(audiobooks, user);
    const tally = await audiobooks.store.get(userTallies, { side: 'now', user });
    data.push({
      user_id: user,
      listen_seconds: await audiobooks.store.get(userListenSeconds, { user }),
      plays: tally?.plays ?? 0,
      finished: tally?.finished ?? 0,
    });
  }
  return { data, next_cursor: null };
}
