import { z } from 'zod';
import { id, time } from './stored.ts';

const FEED_KINDS = ['book', 'opds'] as const;

/**
 * A private link for a program that cannot sign in. Of its secret only the hash is kept: whoever reads the database, or a
 * copy of it, cannot use the link.
 */
export const feedShape = z.object({
  id,
  user_id: z.string(),
  kind: z.enum(FEED_KINDS),
  /** The one book of a podcast feed. */
  book_id: id.nullable(),
  secret_hash: z.string(),
  created_at: time,
  version: z.literal(1),
});
export type Feed = z.infer<typeof feedShape>;
