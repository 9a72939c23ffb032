import { useMay } from '../../lib/permissions.ts';

const EVERY_MS = 15_000;

/** For those who do not follow databases nothing says when to look again, so the clock does. */
export function usePace(): { readonly refetchInterval?: number } {
  return useMay('system:read') ? {} : { refetchInterval: EVERY_MS };
}
