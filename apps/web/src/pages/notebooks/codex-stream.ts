import { codexApi } from '../../api/clients.ts';
import type { CodexEvent } from '../../api/types.ts';
import { recentQuery } from '../../api/codex-queries.ts';
import { queryClient } from '../../api/query-client.ts';
import { createStore } from '../../lib/store.ts';
import { batched } from '../../live/batched.ts';
import { createConnection } from '../../live/connection.ts';
import { refreshQueries } from '../../live/refresh-queries.ts';

const COALESCE_MS = 120;
const RECENT_MAX = 400;

type Listener = (events: readonly CodexEvent[]) => void;
const listeners = new Set<Listener>();
const gapListeners = new Set<() => void>();

export const codexChanges = createStore<readonly CodexEvent[]>([]);

const arrive = batched<CodexEvent>(COALESCE_MS, (events) => {
  codexChanges.set(events);
  for (const id of new Set(events.map((event) => String(event.notebook_id)))) {
    const own = events.filter((event) => String(event.notebook_id) === id);
    queryClient.setQueryData<readonly CodexEvent[]>(recentQuery(id).queryKey, (known) =>
      known === undefined ? undefined : merged(known, own),
    );
    refreshQueries('codex', id);
  }
  refreshQueries('codex', 'queue');
  for (const listener of listeners) listener(events);
});

function merged(known: readonly CodexEvent[], arrived: readonly CodexEvent[]): readonly CodexEvent[] {
  const all = new Map([...known, ...arrived].map((event) => [event.id, event]));
  return [...all.values()].toSorted((left, right) => right.id - left.id).slice(0, RECENT_MAX);
}

/** Calls `listener` with each batch of changed operations, in order; returns an unsubscribe function. */
export function onCodexEvents(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Calls `listener` when events may have been missed; returns an unsubscribe function. */
export function onCodexGap(listener: () => void): () => void {
  gapListeners.add(listener);
  return () => gapListeners.delete(listener);
}

export const codexStream = createConnection(codexApi.url('/events/stream'), {
  onEvent({ event, data }) {
    if (event === 'event') arrive(JSON.parse(data) as CodexEvent);
  },
  onGap() {
    for (const name of ['codex', 'codex-recent']) void queryClient.invalidateQueries({ queryKey: [name] });
    for (const listener of gapListeners) listener();
  },
});
