import { z } from 'zod';
import { id, time } from './stored.ts';

const FEED_KINDS = ['book', 'opds'] as const;

/**
 * A private link for programs that cannot sign in. Only the hash of its secret is stored, so the database does not
 * reveal the link.
 */
export const feedShape = z.object({
  id,
  user_id: z.string(),
  kind: z.enum(FEED_KINDS),
  /** Set for podcast feeds. */
  book_id: id.nullable(),
  secret_hash: z.string(),
  created_at: time,
  version: z.literal(1),
});
export type Feed = z.infer<typeof feedShape>;
