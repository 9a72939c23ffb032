import { z } from 'zod';
import { count, id, versioned } from './stored.ts';

/**
 * Per-user totals behind the statistics, in two versions: `now`, and `kept` for pruned events. Both are computed from
 * events by the same code.
 */

export const SIDES = ['now', 'kept'] as const;
export type Side = (typeof SIDES)[number];

const pointShape = z.object({
  at: z.int(),
  position: count,
  isPlaying: z.boolean(),
  book: id,
  session: z.string().nullable(),
});

/** The newest report of a device, and the newest that arrived out of order. */
const deviceShape = z.object({ seq: count, newest: pointShape, late: pointShape.nullable() });

export const userTallyShape = z.object({
  /** All events up to this number are counted. */
  seq: count,
  listen_ms: count,
  plays: count,
  finished: count,
  devices: z.record(z.string(), deviceShape),
  version: z.literal(1),
});
export type UserTally = z.infer<typeof userTallyShape>;

export const EMPTY_USER_TALLY: UserTally = { seq: 0, listen_ms: 0, plays: 0, finished: 0, devices: {}, version: 1 };

const spanShape = z.tuple([count, count]);

/** A UTC day. Moments are milliseconds since midnight, so that days in other time zones can be derived. */
const dayFields = z.object({
  /** Over all books, counting overlaps once. */
  listen_ms: count,
  plays: z.array(count),
  finished: z.array(z.object({ book: id, at: count })),
  books: z.record(z.string(), z.array(spanShape)),
  version: z.literal(2),
});
export type DayTally = z.infer<typeof dayFields>;

export const dayTallyShape = versioned(dayFields, [withMoments]);

export const EMPTY_DAY_TALLY: DayTally = { listen_ms: 0, plays: [], finished: [], books: {}, version: 2 };

const NOON_MS = 43_200_000;
const LAST_MS = 86_399_999;

/**
 * Version 1 stored only the day of plays and finishes. Uses the last playback of a finished book on that day, and
 * otherwise noon, which is the same day in nearly every time zone.
 */
function withMoments(old: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const books = old['books'] as DayTally['books'];
  const endOf = (book: string): number => Math.min(LAST_MS, books[book]?.at(-1)?.[1] ?? NOON_MS);
  return {
    ...old,
    plays: Array.from({ length: Number(old['plays']) }, () => NOON_MS),
    finished: (old['finished'] as readonly string[]).map((book) => ({ book, at: endOf(book) })),
  };
}

export const bookTallyShape = z.object({
  listen_ms: count,
  plays: count,
  finished: count,
  /** The current cycle, how much of it was heard, and whether it counted as a play. */
  cycle: count,
  cycle_ms: count,
  played: z.boolean(),
  version: z.literal(1),
});
export type BookTally = z.infer<typeof bookTallyShape>;

export const EMPTY_BOOK_TALLY: BookTally = {
  listen_ms: 0,
  plays: 0,
  finished: 0,
  cycle: 0,
  cycle_ms: 0,
  played: false,
  version: 1,
};
