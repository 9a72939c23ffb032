import { z } from 'zod';

import { roleNames } from './names.ts';
import { moment } from './time.ts';

/** Stored under `u:{id}`. Contains no secret; the password hash is in `ua:{id}`. */
export const userSchema = z.object({
  id: z.ulid(),
  username: z.string().min(1),
  email: z.string().nullable(),
  created_at: moment,
  updated_at: moment,
  roles: z.array(z.enum(roleNames)).min(1),
  status: z.enum(['active', 'disabled']),
  version: z.literal(1),
});

export type User = Readonly<z.infer<typeof userSchema>>;

/** Stored under `ua:{id}`. A user without one cannot sign in with a password. */
export const credentialSchema = z.object({
  user_id: z.ulid(),
  password_hash_algo: z.literal('argon2id'),
  /** A PHC string carries its own parameters, so a new policy locks nobody out. */
  password_hash: z.string().startsWith('$argon2id$'),
  created_at: moment,
  updated_at: moment,
  version: z.literal(1),
});

export type Credential = Readonly<z.infer<typeof credentialSchema>>;

export function isActiveAdmin(user: User): boolean {
  return user.status === 'active' && user.roles.includes('admin');
}
