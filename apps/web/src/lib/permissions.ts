import { useQuery } from '@tanstack/react-query';

import { meQuery } from '../api/queries.ts';
import type { Me } from '../api/types.ts';

export function useMe(): Me | undefined {
  return useQuery(meQuery).data;
}

/** The server enforces permissions; this only hides buttons that it would reject. */
export function useMay(permission: string): boolean {
  return useMe()?.permissions.includes(permission) ?? false;
}
