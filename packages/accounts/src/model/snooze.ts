import { z } from 'zod';

import { moment } from './time.ts';

/** An inbox item that a user does not want to see before a time. */
export const snoozeSchema = z.object({
  user_id: z.string(),
  key_hash: z.string(),
  until: moment,
  version: z.literal(1),
});
