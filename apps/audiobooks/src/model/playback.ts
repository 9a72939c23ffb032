import { z } from 'zod';
import { count, id, time, versioned } from './stored.ts';

/** What listening leaves behind: events that never change, and the latest place made of them. */

const EVENT_TYPES = ['progress', 'start', 'pause', 'complete', 'seek'] as const;

export const playbackEventShape = z.object({
  id,
  user_id: z.string(),
  book_id: id,
  segment_id: id,
  position_seconds: z.number().nonnegative(),
  /** The place in the whole book and the timeline it was measured on: both outlive the segment. */
  book_position_ms: count,
  generation: count,
  event_type: z.enum(EVENT_TYPES),
  play_speed: z.number().positive(),
  /** Given by the device, so that a repeated upload counts once. */
  client_event_id: z.string().nullable(),
  device_id: z.string().nullable(),
  /** When it happened, by the device's clock as far as it can be believed; `created_at` is when it arrived. */
  occurred_at: time,
  created_at: time,
  version: z.literal(1),
});

const progressFields = z.object({
  user_id: z.string(),
  book_id: id,
  segment_id: id,
  position_seconds: z.number().nonnegative(),
  book_position_ms: count,
  generation: count,
  /** From 0 to 100, always computed here. */
  percent_complete: z.number().min(0).max(100),
  finished: z.boolean(),
  completions: count,
  updated_at: time,
  revision: count,
  version: z.literal(2),
});
export type Progress = z.infer<typeof progressFields>;

/** Version 1 is the snapshot as the seed writes it: a segment and a position in it. */
export const progressShape = versioned(progressFields, [
  (old) => ({
    ...old,
    book_position_ms: Math.round(Number(old['position_seconds']) * 1_000),
    generation: 0,
    percent_complete: 0,
    finished: false,
    completions: 0,
    revision: 0,
  }),
]);

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

export const playlistShape = z.object({
  id,
  name: z.string().min(1),
  user_id: z.string().nullable(),
  created_at: time,
  updated_at: time,
  version: z.literal(1),
});

export const playlistItemShape = z.object({ book_id: id, added_at: time, version: z.literal(1) });
