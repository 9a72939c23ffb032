import { z } from 'zod';
import { count, id } from './stored.ts';

/**
 * What the statistics are made of, per user. There are two of each: those of now, and the kept ones, which stand for
 * events that were removed. Both are made of events by the same code.
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

/** The newest report of a device, and the newest of those that arrived out of order. */
const deviceShape = z.object({ seq: count, newest: pointShape, late: pointShape.nullable() });

export const userTallyShape = z.object({
  /** Every event of this user up to this number is counted, and none after it. */
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

export const dayTallyShape = z.object({
  /** Of all books together, what was played at the same time counted once. */
  listen_ms: count,
  plays: count,
  finished: z.array(id),
  /** When each book was played, in milliseconds since midnight (UTC). */
  books: z.record(z.string(), z.array(spanShape)),
  version: z.literal(1),
});
export type DayTally = z.infer<typeof dayTallyShape>;

export const EMPTY_DAY_TALLY: DayTally = { listen_ms: 0, plays: 0, finished: [], books: {}, version: 1 };

export const bookTallyShape = z.object({
  listen_ms: count,
  plays: count,
  finished: count,
  /** The time of listening that is going on, how much of it was heard, and whether it was counted as a play. */
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
