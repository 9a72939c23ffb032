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
  /** Position in the whole book and the timeline it refers to; both remain valid after the segment is replaced. */
  book_position_ms: count,
  generation: count,
  event_type: z.enum(EVENT_TYPES),
  play_speed: z.number().positive(),
  /** Assigned by the device, so that a repeated upload counts once. */
  client_event_id: z.string().nullable(),
  device_id: z.string().nullable(),
  session_id: z.string().nullable(),
  /** Number among the user's events, in commit order. */
  seq: count,
  /** Duration of the book at the time, how often it was restarted before, and whether this event finishes it. */
  book_duration_ms: count,
  cycle: count,
  finishes: z.boolean(),
  /** When it happened by the device's corrected clock; `created_at` is when it arrived. */
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
  /** False after a reset. Late reports from before the reset do not undo it. */
  started: z.boolean(),
  play_speed: z.number().positive(),
  device_id: z.string().nullable(),
  /** When the book was last finished, and the first and last restart since. */
  finished_at: time.nullable(),
  restarted_from: time.nullable(),
  restarted_to: time.nullable(),
  /** Earlier reports no longer affect whether the book is finished. */
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

/** A position that the listener left by jumping, and why. */
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
