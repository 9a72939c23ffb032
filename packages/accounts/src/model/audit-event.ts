import { z } from 'zod';

import { grantSchema } from './permission.ts';
import { roleNames } from './role.ts';
import { moment } from './time.ts';

export const auditTypes = [
  'owner_created',
  'setup_link_created',
  'user_created',
  'user_changed',
  'user_disabled',
  'user_enabled',
  'user_deleted',
  'roles_changed',
  'password_changed',
  'password_rehashed',
  'hash_policy_changed',
  'login_ok',
  'login_failed',
  'logout',
  'session_rotated',
  'session_revoked',
  'sessions_revoked',
  'token_created',
  'token_revoked',
] as const;

/**
 * Stored under `audit:{seq}`. The fields are listed one by one, so that no secret can slip in. The name typed at a
 * failed sign-in is not recorded, because people type passwords there by mistake.
 */
export const auditEventSchema = z.object({
  seq: z.int(),
  at: moment,
  type: z.enum(auditTypes),
  /** User id, or `system`, `cli` or `anonymous`. */
  actor: z.string(),
  /** The user concerned; null for a sign-in with an unknown name. */
  user_id: z.ulid().nullable(),
  ip: z.string().nullable(),
  session_id: z.ulid().optional(),
  token_id: z.ulid().optional(),
  roles: z.array(z.enum(roleNames)).optional(),
  scopes: z.array(grantSchema).optional(),
  count: z.int().optional(),
  version: z.literal(1),
});

export type AuditEvent = Readonly<z.infer<typeof auditEventSchema>>;
export type AuditType = AuditEvent['type'];
