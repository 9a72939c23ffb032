import { z } from 'zod';

import { moment } from './time.ts';

/**
 * Stored under `dev:{id}`: a browser that has signed in as this user before. Its secret opens nothing. It only gives
 * the browser a count of failed attempts of its own, so that strangers who guess passwords, from the same address or
 * not, cannot keep the user out (OWASP: "Slow Down Online Guessing Attacks with Device Cookies").
 */
export const deviceSchema = z.object({
  id: z.ulid(),
  user_id: z.ulid(),
  token_hash: z.hex().length(64),
  created_at: moment,
  expires_at: moment,
  version: z.literal(1),
});
