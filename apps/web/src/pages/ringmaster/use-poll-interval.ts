import { isPaused } from '../../api/query-client.ts';
import { useStore } from '../../lib/store.ts';

const EVERY_MS = 3_000;

/** Polls, because a tab has one stream and there may be many workspaces. */
export function usePollInterval(): { readonly refetchInterval: number | false } {
  return { refetchInterval: useStore(isPaused) ? false : EVERY_MS };
}
