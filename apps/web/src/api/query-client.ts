import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';

import { type Reason, reasonOf, statusOf } from '../lib/reason.ts';
import { createStore } from '../lib/store.ts';
import { complain } from '../lib/toasts.ts';

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: { readonly doing: string };
  }
}

/** What is wrong with the server as a whole, if anything: shown above every page until an answer comes again. */
export const serverTrouble = createStore<(Reason & { readonly status: number }) | undefined>(undefined);
/** Counts how often the server did not know us any more. */
export const signedOut = createStore(0);
/** Somebody wants the page to stand still. */
export const isPaused = createStore(false);

const RETRY_MS = 3_000;

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => notice(error),
    onSuccess: () => serverTrouble.set(undefined),
  }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _context, mutation) => {
      if (statusOf(error) === 401) signedOut.set(signedOut.get() + 1);
      if (mutation.meta !== undefined) complain(mutation.meta.doing, error);
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: false,
      // What failed is asked for again until it works, so that no page needs to be reloaded by hand.
      refetchInterval: (query) => (isTemporary(query.state.error) ? RETRY_MS : false),
      refetchOnWindowFocus: () => !isPaused.get(),
    },
    mutations: { retry: false },
  },
});

function notice(error: unknown): void {
  const status = statusOf(error);
  if (status === 401) signedOut.set(signedOut.get() + 1);
  if (!isTemporary(error) || status === undefined) return;
  const reason = reasonOf(error);
  if (!OTHER_SERVERS.has(reason.code)) serverTrouble.set({ ...reason, status });
}

/** A server that one application needs is away: its own page and card say so, and the others have no trouble. */
const OTHER_SERVERS: ReadonlySet<string> = new Set(['NATS_UNREACHABLE', 'NATS_REFUSED']);

function isTemporary(error: unknown): boolean {
  const status = statusOf(error);
  return status !== undefined && (status === 0 || status >= 500);
}
