import { z } from 'zod';

import { moment } from './time.ts';

/** Stored under `meta:auth:setup` until it is used: whoever holds the secret becomes the owner. */
export const setupLinkSchema = z.object({
  token_hash: z.hex().length(64),
  created_at: moment,
  expires_at: moment,
  version: z.literal(1),
});
