import { type CodexEvent, codexApi } from '../../api/codex-client.ts';
import { queryClient, signedOut } from '../../api/query-client.ts';
import { createStore } from '../../lib/store.ts';
import { batched } from '../../live/batched.ts';
import { createConnection } from '../../live/connection.ts';
import { takeIn } from './codex-live.ts';

const COALESCE_MS = 120;

type Listener = (events: readonly CodexEvent[]) => void;
const listeners = new Set<Listener>();
const gapListeners = new Set<() => void>();

/** What was told last, for those who do not see it. */
export const codexNews = createStore<readonly CodexEvent[]>([]);

const arrive = batched<CodexEvent>(COALESCE_MS, (events) => {
  codexNews.set(events);
  takeIn(events);
  for (const listener of listeners) listener(events);
});

/** Every change of an operation, in the order in which it happened, a few at a time. Until what it gives is called. */
export function onCodexEvents(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The stream begins or begins again: what was read before may be out of date. */
export function onCodexGap(listener: () => void): () => void {
  gapListeners.add(listener);
  return () => gapListeners.delete(listener);
}

/** What happens to the files of all notebooks, whoever does it: the API, other tabs, other programs. */
export const codexStream = createConnection(codexApi.url('/events/stream'), {
  onEvent({ event, data }) {
    if (event === 'event') arrive(JSON.parse(data) as CodexEvent);
  },
  onGap() {
    for (const name of ['codex', 'codex-recent']) void queryClient.invalidateQueries({ queryKey: [name] });
    for (const listener of gapListeners) listener();
  },
  onSignedOut: () => signedOut.set(signedOut.get() + 1),
});
