import { createHash } from 'node:crypto';
import { z } from 'zod';

import { moment } from './time.ts';

/** Stored under `ident:{id}`: links a user of an OpenID Connect provider to an account. */
export const identitySchema = z.object({
  id: z.hex().length(64),
  issuer: z.string(),
  /** The provider's id for the user. Unlike a name, it never changes and is never given to somebody else. */
  subject: z.string(),
  user_id: z.ulid(),
  created_at: moment,
  version: z.literal(1),
});

export type Identity = Readonly<z.infer<typeof identitySchema>>;

export function identityId({ issuer, subject }: Pick<Identity, 'issuer' | 'subject'>): string {
  return createHash('sha256')
    .update(JSON.stringify([issuer, subject]), 'utf8')
    .digest('hex');
}
