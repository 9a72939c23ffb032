import { isPaused } from '../../api/query-client.ts';
import { useStore } from '../../lib/store.ts';

const EVERY_MS = 3_000;

/** All workspaces are looked at again by the clock: a tab has one stream, and there may be many workspaces. */
export function usePollInterval(): { readonly refetchInterval: number | false } {
  return { refetchInterval: useStore(isPaused) ? false : EVERY_MS };
}
