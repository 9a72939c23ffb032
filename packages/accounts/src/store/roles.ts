import { record } from '@holdfast/keyspace';

import { roleSchema } from '../model/role.ts';

export const roles = record('authz:{role}', roleSchema);
