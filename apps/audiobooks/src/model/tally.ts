import { z } from 'zod';
import type { PlaybackEvent } from './playback.ts';
import { count, id } from './stored.ts';

/**
 * Per-user totals for the statistics, in two versions. `now` covers all events. `kept` covers only the oldest events,
 * which pruning may delete. The same code computes both versions from events.
 */

export type Side = 'now' | 'kept';

const pointShape = z.object({
  at: z.int(),
  position: count,
  isPlaying: z.boolean(),
  book: id,
  session: z.string().nullable(),
});

/** `newest` is the newest report of a device; `late` is the last report that arrived after a newer one. */
const deviceShape = z.object({ seq: count, newest: pointShape, late: pointShape.nullable() });

export const userTallyShape = z.object({
  /** All events up to this sequence number are counted. */
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

/**
 * Totals of one UTC day. Times are milliseconds since midnight, so that days in other time zones can be computed from
 * them.
 */
export const dayTallyShape = z.object({
  /** Listening time of all books together; overlapping playback counts once. */
  listen_ms: count,
  plays: z.array(count),
  finished: z.array(z.object({ book: id, at: count })),
  books: z.record(z.string(), z.array(spanShape)),
  version: z.literal(1),
});
export type DayTally = z.infer<typeof dayTallyShape>;

export const EMPTY_DAY_TALLY: DayTally = { listen_ms: 0, plays: [], finished: [], books: {}, version: 1 };

export const bookTallyShape = z.object({
  listen_ms: count,
  plays: count,
  finished: count,
  /** Number of the current cycle: how often the listener restarted or reset the book. */
  cycle: count,
  /** Time listened in the current cycle. */
  cycle_ms: count,
  /** Whether the current cycle has counted as a play. */
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

/**
 * Computes listening time from the reports of one device in one session. Three limits apply to the time between two
 * reports: the elapsed time, the distance played at the reported speed plus some slack, and two report intervals.
 * Pauses and seeks count nothing. Overlapping spans are merged, so simultaneous playback on two devices or a repeated
 * upload counts once.
 */

/** The longest interval between reports: players report every 15 seconds, or every 60 on metered connections. */
const SYNC_INTERVAL_MS = 60_000;
const PAIR_MAX_MS: number = 2 * SYNC_INTERVAL_MS;
/** Allowance for inexact report times. */
const SLACK_MS = 2_000;
const DAY_MS = 86_400_000;

/** The fields of a report that are needed to count the time until the device's next report. */
interface Point {
  readonly at: number;
  readonly position: number;
  readonly isPlaying: boolean;
  readonly book: string;
  readonly session: string | null;
}

/** In milliseconds since 1970. */
export type Span = readonly [from: number, to: number];

export function pointOf(event: PlaybackEvent): Point {
  return {
    at: Date.parse(event.occurred_at),
    position: event.book_position_ms,
    isPlaying: event.event_type !== 'pause' && event.event_type !== 'complete',
    book: event.book_id,
    session: event.session_id,
  };
}

/** Returns the span listened between two reports of one device. */
export function listenedSpan(before: Point, event: PlaybackEvent): Span | undefined {
  const after = pointOf(event);
  if (!before.isPlaying || event.event_type === 'seek' || event.event_type === 'start') return undefined;
  if (before.book !== after.book || before.session !== after.session) return undefined;
  const way = Math.abs(after.position - before.position) / event.play_speed + SLACK_MS;
  const length = Math.floor(Math.min(after.at - before.at, way, PAIR_MAX_MS));
  return length > 0 ? [before.at, before.at + length] : undefined;
}

/** Returns the span of an event whose device measured the listening time. The span ends at the event. */
export function measuredSpan(event: PlaybackEvent): Span | undefined {
  const { listened_ms: length = 0 } = event;
  const at = Date.parse(event.occurred_at);
  return length > 0 ? [at - length, at] : undefined;
}

/** Splits a span by UTC day; `from` and `to` are milliseconds since midnight. */
export function byDay([from, to]: Span): readonly (readonly [date: string, from: number, to: number])[] {
  const parts: [string, number, number][] = [];
  for (let start = from; start < to;) {
    const midnight = Math.floor(start / DAY_MS) * DAY_MS;
    const end = Math.min(to, midnight + DAY_MS);
    parts.push([new Date(midnight).toISOString().slice(0, 'YYYY-MM-DD'.length), start - midnight, end - midnight]);
    start = end;
  }
  return parts;
}

/** Adds a span to sorted, disjoint spans. */
export function unite(spans: readonly Span[], [from, to]: Span): readonly Span[] {
  const first = spans.findIndex(([, end]) => end >= from);
  if (first === -1) return [...spans, [from, to]];
  let last = first;
  let [low, high] = [from, to];
  for (; last < spans.length; last++) {
    const [start, end] = spans[last] as Span;
    if (start > to) break;
    low = Math.min(low, start);
    high = Math.max(high, end);
  }
  return [...spans.slice(0, first), [low, high], ...spans.slice(last)];
}

export function measure(spans: readonly Span[]): number {
  return spans.reduce((sum, [from, to]) => sum + to - from, 0);
}

/** Returns the total length of all spans, counting overlaps once. */
export function measureTogether(lists: readonly (readonly Span[])[]): number {
  const [only = [], ...others] = lists;
  if (others.length === 0) return measure(only);
  const ordered = lists.flat().sort((left, right) => left[0] - right[0]);
  let sum = 0;
  let reached = Number.NEGATIVE_INFINITY;
  for (const [from, to] of ordered) {
    sum += Math.max(0, to - Math.max(from, reached));
    reached = Math.max(reached, to);
  }
  return sum;
}
