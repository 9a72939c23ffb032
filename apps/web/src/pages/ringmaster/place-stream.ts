import { queryClient, signedOut } from '../../api/query-client.ts';
import { ringmasterApi, type RingEvent } from '../../api/ringmaster-client.ts';
import { createFresh } from '../../lib/fresh.ts';
import { createStore } from '../../lib/store.ts';
import { batched } from '../../live/batched.ts';
import { type Connection, createConnection } from '../../live/connection.ts';
import { refresher } from '../../live/refresher.ts';

const COALESCE_MS = 120;

/** Tasks that something has just happened to. */
export const freshRingTasks = createFresh();
/** What happened last, for those who do not see it. */
export const ringNews = createStore<readonly RingEvent[]>([]);

const streams = new Map<string, Connection>();

/** What happens in a place, whoever does it: one for each place, made once. */
export function placeStream(place: string): Connection {
  const known = streams.get(place) ?? connect(place);
  streams.set(place, known);
  return known;
}

function connect(place: string): Connection {
  const refresh = refresher(() => queryClient.invalidateQueries({ queryKey: ['ringmaster', place] }));
  const arrive = batched<RingEvent>(COALESCE_MS, (events) => {
    freshRingTasks.mark(events.map(({ entity_id: id }) => id));
    ringNews.set(events);
    refresh();
  });
  return createConnection(ringmasterApi.url('/workspaces/{workspace}/events/live', { params: { workspace: place } }), {
    onEvent({ event, data }) {
      if (event === 'reset') refresh();
      if (event === 'event') arrive(JSON.parse(data) as RingEvent);
    },
    onGap: refresh,
    onSignedOut: () => signedOut.set(signedOut.get() + 1),
  });
}
