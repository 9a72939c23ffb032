import { z } from 'zod';

import { grantSchema } from './permission.ts';

/** Stored under `authz:{role}`. */
export const roleSchema = z.object({
  role: z.string(),
  description: z.string(),
  permissions: z.array(grantSchema),
  version: z.literal(1),
});

export type Role = Readonly<z.infer<typeof roleSchema>>;

/** All roles include `account`: users manage their own password, sessions and tokens. */
export const initialRoles: readonly Role[] = [
  { role: 'admin', description: 'Can do everything.', permissions: ['admin'], version: 1 },
  {
    role: 'user',
    description: 'Can view and change data in all applications.',
    permissions: ['app:*:write', 'account'],
    version: 1,
  },
  {
    role: 'viewer',
    description: 'Can view data in all applications.',
    permissions: ['app:*:read', 'account'],
    version: 1,
  },
];
