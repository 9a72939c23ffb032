import type { CodexEvent } from '../../api/codex-client.ts';
import { recentQuery } from '../../api/codex-queries.ts';
import { queryClient } from '../../api/query-client.ts';
import { refresher } from '../../live/refresher.ts';

/** As many as are kept of the newest operations. */
const KEPT = 400;
const refreshers = new Map<string, () => void>();

/** What events tell is put into what was read, or has it read again. */
export function takeIn(events: readonly CodexEvent[]): void {
  for (const id of new Set(events.map((event) => String(event.notebook_id)))) {
    const own = events.filter((event) => String(event.notebook_id) === id);
    queryClient.setQueryData<readonly CodexEvent[]>(recentQuery(id).queryKey, (known) =>
      known === undefined ? undefined : merged(known, own),
    );
    refresh('codex', id);
  }
  refresh('codex', 'queue');
}

/** The newest first, each as it was told last. */
function merged(known: readonly CodexEvent[], arrived: readonly CodexEvent[]): readonly CodexEvent[] {
  const all = new Map([...known, ...arrived].map((event) => [event.id, event]));
  return [...all.values()].toSorted((left, right) => right.id - left.id).slice(0, KEPT);
}

/** One reading at a time of each: what is slow to read must not be asked for again before it has come. */
function refresh(...queryKey: readonly string[]): void {
  const name = queryKey.join(' ');
  const known = refreshers.get(name) ?? refresher(() => queryClient.invalidateQueries({ queryKey }));
  refreshers.set(name, known);
  known();
}
