import { z } from 'zod';
import { id, time } from './stored.ts';

/** A written work, shared by all editions and narrations of one title. */
export const workShape = z.object({
  id,
  title: z.string(),
  normalized_title: z.string(),
  author_id: id.nullable(),
  alt_titles: z.array(z.string()),
  series_id: id.nullable(),
  created_at: time,
  updated_at: time,
  version: z.literal(1),
});
export type Work = z.infer<typeof workShape>;
