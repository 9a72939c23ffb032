import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';

import { type Reason, reasonOf, statusOf } from '../lib/error-reason.ts';
import { createStore } from '../lib/store.ts';
import { complain } from '../lib/toasts.ts';

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: { readonly doing: string; readonly atField: readonly string[] };
  }
}

/** A server-wide problem, shown above every page until a request succeeds again. */
export const serverTrouble = createStore<(Reason & { readonly status: number }) | undefined>(undefined);
/** Counts how often the server rejected the session. */
export const signedOut = createStore(0);
export const isPaused = createStore(false);

const RETRY_MS = 3_000;

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => notice(error),
    onSuccess: () => serverTrouble.set(undefined),
  }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _context, mutation) => {
      if (mutation.meta?.atField.includes(reasonOf(error).code) === true) return;
      if (statusOf(error) === 401) reportSignedOut();
      if (mutation.meta !== undefined) complain(mutation.meta.doing, error);
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: false,
      // Without a network, the browser can still reach a server on the same machine, and stored answers.
      networkMode: 'always',
      // Refetches after network and server errors, so that nobody has to reload the page when the server is back.
      refetchInterval: (query) => (isTemporary(query.state.error) ? RETRY_MS : false),
      refetchOnWindowFocus: () => !isPaused.get(),
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

export function reportSignedOut(): void {
  signedOut.set(signedOut.get() + 1);
}

function notice(error: unknown): void {
  const status = statusOf(error);
  if (status === 401) reportSignedOut();
  if (!isTemporary(error) || status === undefined) return;
  const reason = reasonOf(error);
  if (!OTHER_SERVERS.has(reason.code)) serverTrouble.set({ ...reason, status });
}

/** Errors from the NATS server. Only one application uses NATS, so the page of that application reports them. */
const OTHER_SERVERS: ReadonlySet<string> = new Set(['NATS_UNREACHABLE', 'NATS_REFUSED']);

function isTemporary(error: unknown): boolean {
  const status = statusOf(error);
  return status !== undefined && (status === 0 || status >= 500);
}
