import { z } from 'zod';
import { EVENT_TYPES, JUMP_REASONS } from './choices.ts';
import { count, id, time } from './stored.ts';

/** Immutable playback events, and the progress derived from them. */

export const playbackEventShape = z.object({
  id,
  user_id: z.string(),
  book_id: id,
  segment_id: id,
  position_seconds: z.number().nonnegative(),
  /** Position in the whole book. Unlike the position in the segment, it stays valid if the segment is replaced. */
  book_position_ms: count,
  /** Generation of the timeline to which `book_position_ms` refers. */
  generation: count,
  event_type: z.enum(EVENT_TYPES),
  play_speed: z.number().positive(),
  /** Id that the device gave to the event, so that a repeated upload counts once. */
  client_event_id: z.string().nullable(),
  device_id: z.string().nullable(),
  session_id: z.string().nullable(),
  /** Sequence number of the event among all events of the user, in commit order. */
  seq: count,
  /** Duration of the book at the time of the event. */
  book_duration_ms: count,
  /** How often the listener had restarted or reset the book before the event. */
  cycle: count,
  /** Whether the event finishes the book. */
  finishes: z.boolean(),
  /** Time of the event, corrected if the device's clock is wrong. `created_at` is the time of arrival. */
  occurred_at: time,
  created_at: time,
  /**
   * Length of the span that ends with the event, if the device measured it. If absent, the length is computed from
   * earlier events.
   */
  listened_ms: count.optional(),
  version: z.literal(1),
});
export type PlaybackEvent = z.infer<typeof playbackEventShape>;

export const progressShape = z.object({
  user_id: z.string(),
  book_id: id,
  segment_id: id,
  position_seconds: z.number().nonnegative(),
  book_position_ms: count,
  generation: count,
  /** Computed from the position. */
  percent_complete: z.number().min(0).max(100),
  finished: z.boolean(),
  completions: count,
  /** How often the book was restarted or reset. */
  cycle: count,
  /**
   * False before the first report and after a reset. A late report about the time before the reset does not change it.
   */
  started: z.boolean(),
  play_speed: z.number().positive(),
  device_id: z.string().nullable(),
  /** Time at which the listener last finished the book. */
  finished_at: time.nullable(),
  /** Time of the first restart after `finished_at`. */
  restarted_from: time.nullable(),
  /** Time of the last restart after `finished_at`. */
  restarted_to: time.nullable(),
  /** Reports from before this time no longer affect whether the book is finished. */
  cleared_at: time.nullable(),
  /** Time of the first report, or of the first report after the last reset. */
  started_at: time.optional(),
  /**
   * True if the listener removed the book from the list of books to continue. Playing the book shows it there again.
   */
  hidden: z.boolean().optional(),
  updated_at: time,
  revision: count,
  version: z.literal(1),
});
export type Progress = z.infer<typeof progressShape>;

export const bookmarkShape = z.object({
  id,
  user_id: z.string(),
  book_id: id,
  book_position_ms: count,
  generation: count,
  note: z.string(),
  created_at: time,
  version: z.literal(1),
});
export type Bookmark = z.infer<typeof bookmarkShape>;

/** A position from which the listener jumped, and the reason for the jump. */
const jumpShape = z.object({
  book_position_ms: count,
  generation: count,
  at: time,
  device_id: z.string().nullable(),
  reason: z.enum(JUMP_REASONS),
});
export type Jump = z.infer<typeof jumpShape>;

/** Jumps, newest first. */
export const jumpsShape = z.object({ jumps: z.array(jumpShape), version: z.literal(1) });
