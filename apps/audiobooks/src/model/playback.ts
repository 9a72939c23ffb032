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
  /** Position in the whole book, and the timeline to which it refers. Both stay valid if the segment is replaced. */
  book_position_ms: count,
  generation: count,
  event_type: z.enum(EVENT_TYPES),
  play_speed: z.number().positive(),
  /** Assigned by the device, so that a repeated upload counts once. */
  client_event_id: z.string().nullable(),
  device_id: z.string().nullable(),
  session_id: z.string().nullable(),
  /** Sequence number of the event among the user's events, in commit order. */
  seq: count,
  /** The book's duration at that time, how often it had been restarted before, and whether this event finishes it. */
  book_duration_ms: count,
  cycle: count,
  finishes: z.boolean(),
  /** Time of the event, corrected for the error of the device's clock. `created_at` is the time of arrival. */
  occurred_at: time,
  created_at: time,
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
  /** False after a reset. Reports from before the reset do not change this, even if they arrive later. */
  started: z.boolean(),
  play_speed: z.number().positive(),
  device_id: z.string().nullable(),
  /** Times of the last finish, and of the first and last restart since then. */
  finished_at: time.nullable(),
  restarted_from: time.nullable(),
  restarted_to: time.nullable(),
  /** Reports from before this time no longer affect whether the book is finished. */
  cleared_at: time.nullable(),
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

/** A position from which the listener jumped, and why. */
const jumpShape = z.object({
  book_position_ms: count,
  generation: count,
  at: time,
  device_id: z.string().nullable(),
  reason: z.enum(JUMP_REASONS),
});
export type Jump = z.infer<typeof jumpShape>;

/** Newest first. */
export const jumpsShape = z.object({ jumps: z.array(jumpShape), version: z.literal(1) });
