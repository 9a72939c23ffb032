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

export const roleNames = ['admin', 'user', 'viewer'] as const;
export type RoleName = (typeof roleNames)[number];

/** Everybody looks after their own password, sessions and tokens, hence `account` for all. */
export const initialRoles: readonly Role[] = [
  { role: 'admin', description: 'May do everything.', permissions: ['admin'], version: 1 },
  {
    role: 'user',
    description: 'Works with all applications.',
    permissions: ['app:*:write', 'account'],
    version: 1,
  },
  { role: 'viewer', description: 'Looks at all applications.', permissions: ['app:*:read', 'account'], version: 1 },
];
