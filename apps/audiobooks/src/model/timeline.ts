import { z } from 'zod';
import { count, id, time } from './stored.ts';

/**
 * One timeline over all segments of a book.
 *
 * A map is written when segments, their order or their durations change, under the next generation, and never changed
 * or removed afterwards: a place that was noted on any earlier timeline can be carried to the present one.
 */
export const durationMapShape = z.object({
  book_id: id,
  generation: count,
  segments: z.array(z.object({ id, duration_ms: count, active: z.boolean(), offset_start_ms: count })),
  total_duration_ms: count,
  /** How the durations were measured. */
  method: z.enum(['packets', 'pipeline', 'header']),
  created_at: time,
  version: z.literal(1),
});
export type DurationMap = z.infer<typeof durationMapShape>;
