import { defineRoute, ok } from '@holdfast/http';
import type { Reads } from '@holdfast/keyspace';
import { z } from 'zod';

import type { Book } from '../model/book.ts';
import { count, id } from '../model/stored.ts';
import { isTimeZone } from '../model/time-zone.ts';
import type { Audiobooks } from '../service/audiobooks.ts';
import { pruneEvents, RETENTION } from '../service/statistics/prune.ts';
import { lastYear } from '../service/statistics/listened-days.ts';
import { type Statistics, statisticsOf } from '../service/statistics/read-statistics.ts';
import { rebuildStatistics } from '../service/statistics/rebuild.ts';
import { yearReview } from '../service/statistics/year-review.ts';
import { managePermission, readPermission } from './caller.ts';
import { listenerOf } from './listener.ts';
import { bookRowSchema, type BookRowView } from './schemas.ts';
import { bookRows } from './views.ts';

const row = bookRowSchema.nullable();
const named = z.array(z.object({ id: z.string(), name: z.string(), seconds: count }));

const statisticsSchema = z.object({
  listen_seconds: count.meta({ description: 'Two devices at the same time count once, so never more than the clock' }),
  plays: count,
  finished: count,
  days: z.array(z.object({ date: z.iso.date(), seconds: count, finished: z.array(id) })),
  books: z.array(z.object({ book: row.meta({ description: 'Null for one that is gone' }), seconds: count })),
  works: named,
  authors: named,
  narrators: z.array(z.object({ name: z.string(), seconds: count })),
});

const yearSchema = statisticsSchema.extend({
  year: z.int(),
  months: z.array(z.object({ month: z.string(), seconds: count, finished: count })),
  longest_day: z.object({ date: z.iso.date(), seconds: count }).nullable(),
  streak_days: count,
  days_listened: count,
  first_book: row,
  last_book: row,
});

const timeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, 'no time zone has this name')
  .default('UTC')
  .meta({ description: 'Whose days are meant, as the IANA names zones: `Europe/Berlin`' });

const LONG_MS = 300_000;

export function statsRoutes(app: Audiobooks) {
  const show = defineRoute({
    method: 'GET',
    path: '/stats',
    permission: readPermission,
    summary: 'What the caller listened to, by day, book, work, author and narrator; the last 365 days if left out',
    request: {
      query: z.object({ from: z.iso.date().optional(), to: z.iso.date().optional(), time_zone: timeZone }),
    },
    responses: { 200: statisticsSchema },
    handler: async (input) => {
      const { from, to, time_zone: zone } = input.query;
      const listener = await listenerOf(app, input);
      const year = lastYear(app.now(), zone);
      const found = await statisticsOf(app, listener, { from: from ?? year.from, to: to ?? year.to, zone });
      return ok(await view(app.store, found, listener.userId));
    },
  });
  const year = defineRoute({
    method: 'GET',
    path: '/stats/year/{year}',
    permission: readPermission,
    summary: "The caller's year",
    request: {
      params: z.object({ year: z.coerce.number<string>().int().min(2000).max(9999) }),
      query: z.object({ time_zone: timeZone }),
    },
    responses: { 200: yearSchema },
    handler: async (input) => {
      const listener = await listenerOf(app, input);
      const found = await yearReview(app, listener, input.params.year, input.query.time_zone);
      const [first, last] = await Promise.all(
        [found.first_book, found.last_book].map((book) => oneRow(app.store, book, listener.userId)),
      );
      const { year: shown, months, longest_day: longest, streak_days: streak, days_listened: listened } = found;
      return ok({
        ...(await view(app.store, found, listener.userId)),
        year: shown,
        months,
        longest_day: longest,
        streak_days: streak,
        days_listened: listened,
        first_book: first ?? null,
        last_book: last ?? null,
      });
    },
  });
  return [show, year, ...careRoutes(app)] as const;
}

function careRoutes(app: Audiobooks) {
  const rebuild = defineRoute({
    method: 'POST',
    path: '/stats/rebuild',
    permission: managePermission,
    summary: "Counts everybody's listening again from the events and from what was kept of removed ones",
    responses: {
      200: z.object({
        users: count,
        events: count,
        corrected: count.meta({ description: 'Counters that were not right' }),
      }),
    },
    limits: { timeoutMs: LONG_MS },
    handler: async () => ok(await rebuildStatistics(app)),
  });
  const prune = defineRoute({
    method: 'POST',
    path: '/playback/prune',
    permission: managePermission,
    summary: 'Removes old events; their counts are kept, and no total changes',
    request: {
      body: z.object({
        keep_days: count.max(36_500).default(RETENTION.keepDays),
        keep_events: z
          .int()
          .min(1)
          .max(1_000_000)
          .default(RETENTION.keepEvents)
          .meta({ description: 'The last so many of each person and book stay, too' }),
      }),
    },
    responses: { 200: z.object({ users: count, removed: count }) },
    limits: { timeoutMs: LONG_MS },
    handler: async ({ body }) => ok(await pruneEvents(app, { keepDays: body.keep_days, keepEvents: body.keep_events })),
  });
  return [rebuild, prune] as const;
}

async function view(reads: Reads, found: Statistics, userId: string): Promise<z.infer<typeof statisticsSchema>> {
  const known = found.books.map(({ book }) => book).filter((book) => book !== null);
  const rows = new Map((await bookRows(reads, known, userId)).map((shown) => [shown.id, shown]));
  return {
    listen_seconds: found.listen_seconds,
    plays: found.plays,
    finished: found.finished,
    days: found.days.map(({ date, seconds, finished }) => ({ date, seconds, finished: [...finished] })),
    books: found.books.map(({ book, seconds }) => ({ book: rows.get(book?.id ?? '') ?? null, seconds })),
    works: [...found.works],
    authors: [...found.authors],
    narrators: [...found.narrators],
  };
}

async function oneRow(reads: Reads, book: Book | null, userId: string): Promise<BookRowView | null> {
  if (book === null) return null;
  const [shown] = await bookRows(reads, [book], userId);
  return shown ?? null;
}
