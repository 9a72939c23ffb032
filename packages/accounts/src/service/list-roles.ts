import type { Role } from '../model/role.ts';
import { roles } from '../store/roles.ts';
import type { Dependencies } from './dependencies.ts';

export async function listRoles({ keyspace }: Dependencies): Promise<readonly Role[]> {
  return keyspace.list(roles, {});
}
