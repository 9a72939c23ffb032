import { z } from 'zod';

import { auditTypes, externalSignIns, roleNames } from './names.ts';
import { grantSchema } from './permission.ts';
import { moment } from './time.ts';

/**
 * Stored under `audit:{seq}`. The schema lists every field, so that no secret is stored by accident. The name typed at
 * a failed sign-in is not recorded, because people type passwords there by mistake.
 */
export const auditEventSchema = z.object({
  seq: z.int(),
  at: moment,
  type: z.enum(auditTypes),
  /** User id, or `system`, `cli` or `anonymous`. */
  actor: z.string(),
  /** Id of the affected user; null for a sign-in with an unknown name. */
  user_id: z.ulid().nullable(),
  ip: z.string().nullable(),
  session_id: z.ulid().optional(),
  token_id: z.ulid().optional(),
  via: z.enum(externalSignIns).optional(),
  /** Error code of a refused sign-in through an OpenID Connect provider. */
  reason: z.string().optional(),
  /** The provider's id for the user, if the provider's answer was valid. */
  subject: z.string().optional(),
  roles: z.array(z.enum(roleNames)).optional(),
  scopes: z.array(grantSchema).optional(),
  count: z.int().optional(),
  version: z.literal(1),
});

export type AuditEvent = Readonly<z.infer<typeof auditEventSchema>>;
export type AuditType = AuditEvent['type'];
