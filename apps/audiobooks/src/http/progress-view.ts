import { z } from 'zod';

import type { Progress } from '../model/playback.ts';
import { count, id, time } from '../model/stored.ts';

/** Where somebody is in a book, as everybody outside sees it. */
export const progressSchema = z.object({
  book_id: id,
  position_ms: count,
  segment_id: id,
  position_seconds: z.number(),
  generation: count.meta({ description: 'The timeline of the book that the place is on' }),
  percent: z.number(),
  finished: z.boolean(),
  completions: count,
  speed: z.number(),
  updated_at: time,
  device_id: z.string().nullable(),
  revision: count,
});

export function progressView(entry: Progress): z.infer<typeof progressSchema> {
  return {
    book_id: entry.book_id,
    position_ms: entry.book_position_ms,
    segment_id: entry.segment_id,
    position_seconds: entry.position_seconds,
    generation: entry.generation,
    percent: entry.percent_complete,
    finished: entry.finished,
    completions: entry.completions,
    speed: entry.play_speed,
    updated_at: entry.updated_at,
    device_id: entry.device_id,
    revision: entry.revision,
  };
}
