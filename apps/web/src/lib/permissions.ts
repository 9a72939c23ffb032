import { useQuery } from '@tanstack/react-query';

import { meQuery } from '../api/queries.ts';
import type { Me } from '../api/types.ts';

export function useMe(): Me | undefined {
  return useQuery(meQuery).data;
}

/** Used to hide buttons whose requests the server would reject. The server itself enforces permissions. */
export function useMay(permission: string): boolean {
  return useMe()?.permissions.includes(permission) ?? false;
}
