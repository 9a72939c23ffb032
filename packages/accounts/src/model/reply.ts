import { z } from 'zod';

import { moment } from './time.ts';

/**
 * The answer to a request that came with an Idempotency-Key, kept so that a repetition gets the same answer instead of a
 * second thing. It belongs to the user who asked. Neither the key nor the request is in it, only hashes of both.
 */
export const replySchema = z.object({
  user_id: z.string(),
  key_hash: z.string(),
  /** Of method, address and body: the same key with another request is a mistake. */
  fingerprint: z.string(),
  status: z.int(),
  headers: z.record(z.string(), z.string()),
  body: z.string().nullable(),
  created_at: moment,
  expires_at: moment,
  version: z.literal(1),
});

export type Reply = Readonly<z.infer<typeof replySchema>>;
