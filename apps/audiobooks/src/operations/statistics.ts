import { integer, list, nullable, object, optional, text, type ValueOf, withDefault } from '@holdfast/operation';
import { RETENTION } from '../model/choices.ts';
import { audiobookErrors } from '../model/errors.ts';
import { bookRow, defineOperation, MANAGE, READ } from './fields.ts';

const date = (summary: string) => optional(text(summary, { min: 10, max: 10, label: 'date' }));
const timeZone = withDefault(
  text('Time zone in which days are counted, for example Europe/Berlin', { min: 1, max: 64, label: 'zone' }),
  'UTC',
);
const named = list(object({ id: text(), name: text(), seconds: integer() }));
const day = object({ date: text(), seconds: integer(), finished: list(text('Book id')) });

const statisticsFields = {
  listen_seconds: integer('Listening on two devices at the same time counts once'),
  plays: integer(),
  finished: integer(),
  days: list(day),
  books: list(object({ book: nullable(bookRow), seconds: integer() }), {
    summary: 'The book is null if it no longer exists',
  }),
  works: named,
  authors: named,
  narrators: list(object({ name: text(), seconds: integer() })),
} as const;
const statistics = object(statisticsFields);
export type Statistics = ValueOf<typeof statistics>;

export const statisticsPeriod = {
  from: date('First day, for example 2026-01-31'),
  to: date('Last day, for example 2026-01-31'),
  time_zone: timeZone,
} as const;

export const showStatistics = defineOperation({
  name: 'statistics.show',
  summary: 'Show listening time by day, book, work, author and narrator; the last 365 days by default',
  permission: READ,
  input: statisticsPeriod,
  output: statistics,
  errors: [audiobookErrors.FIELD_INVALID],
  run: async () => (await import('../service/statistics/read-statistics.ts')).showStatistics,
});

const year = object({
  ...statisticsFields,
  year: integer(),
  months: list(object({ month: text(), seconds: integer(), finished: integer() })),
  longest_day: nullable(object({ date: text(), seconds: integer() })),
  streak_days: integer('Most consecutive days with listening'),
  days_listened: integer(),
  first_book: nullable(bookRow),
  last_book: nullable(bookRow),
});

export const showYear = defineOperation({
  name: 'statistics.year',
  summary: 'Show the listening statistics of one year',
  permission: READ,
  input: { year: integer('Year', { min: 2_000, max: 9_999 }), time_zone: timeZone },
  output: year,
  errors: [audiobookErrors.FIELD_INVALID],
  absent: { mcp: 'statistics.show covers any period' },
  run: async () => (await import('../service/statistics/read-statistics.ts')).showYear,
});

export const listListeners = defineOperation({
  name: 'statistics.users',
  summary: 'Show how much each user has listened',
  permission: MANAGE,
  input: {},
  output: object({
    data: list(object({ user_id: text(), listen_seconds: integer(), plays: integer(), finished: integer() })),
    next_cursor: nullable(text()),
  }),
  absent: { mcp: "Shows other users' data" },
  run: async () => (await import('../service/statistics/read-statistics.ts')).listListeners,
});

const maintenance = { mcp: 'Server maintenance' } as const;

export const rebuildStatistics = defineOperation({
  name: 'statistics.rebuild',
  summary: 'Recompute the listening statistics from the playback events, and correct counters that differ',
  permission: MANAGE,
  input: {},
  output: object({ users: integer(), events: integer(), corrected: integer('Number of corrected counters') }),
  absent: maintenance,
  run: async () => (await import('../service/statistics/count.ts')).rebuildStatistics,
});

export const pruneEvents = defineOperation({
  name: 'statistics.prune',
  summary: 'Remove old playback events; listening totals stay the same',
  permission: MANAGE,
  input: {
    keep_days: withDefault(
      integer('Number of days for which to keep events', { min: 0, max: 36_500, label: 'days' }),
      RETENTION.keepDays,
    ),
    keep_events: withDefault(
      integer('Number of latest events to keep for each user and book', { min: 1, max: 1_000_000, label: 'count' }),
      RETENTION.keepEvents,
    ),
  },
  output: object({ users: integer(), removed: integer() }),
  absent: maintenance,
  run: async () => {
    const { pruneEvents: prune } = await import('../service/statistics/count.ts');
    return (audiobooks, { keep_days: keepDays, keep_events: keepEvents }) =>
      prune(audiobooks, { keepDays, keepEvents });
  },
});
