import { z } from 'zod';

import { moment } from './time.ts';

/**
 * The stored answer to a request with an Idempotency-Key. A repeated request gets this answer instead of running again.
 * The record belongs to the user who made the request, and holds only hashes of the key and the request.
 */
export const replySchema = z.object({
  user_id: z.string(),
  key_hash: z.string(),
  /** Hash of method, URL and body; using the key for a different request is an error. */
  fingerprint: z.string(),
  status: z.int(),
  headers: z.record(z.string(), z.string()),
  body: z.string().nullable(),
  created_at: moment,
  expires_at: moment,
  version: z.literal(1),
});

export type Reply = Readonly<z.infer<typeof replySchema>>;
