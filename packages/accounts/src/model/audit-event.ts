import { z } from 'zod';

import { grantSchema } from './permission.ts';
import { roleNames } from './role.ts';
import { moment } from './time.ts';

const auditTypes = [
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
 * Stored under `audit:{seq}`. What may stand in it is listed field by field: a secret has no field to slip into. What
 * was typed as a name is not among them, because people type passwords there.
 */
export const auditEventSchema = z.object({
  seq: z.int(),
  at: moment,
  type: z.enum(auditTypes),
  /** Who did it: the id of a user, or `system`, `cli` or `anonymous`. */
  actor: z.string(),
  /** Whom it concerns; null for a sign-in as somebody who does not exist. */
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
