import { ringmasterApi } from '../../api/clients.ts';
import type { RingEvent } from '../../api/types.ts';
import { createRecentIds } from '../../lib/recent-ids.ts';
import { createStore } from '../../lib/store.ts';
import { batched } from '../../live/batched.ts';
import { type Connection, createConnection } from '../../live/connection.ts';
import { refreshQueries } from '../../live/refresh-queries.ts';

const COALESCE_MS = 120;

export const recentRingTasks = createRecentIds();
export const workspaceChanges = createStore<readonly RingEvent[]>([]);

const streams = new Map<string, Connection>();

export function workspaceStream(workspace: string): Connection {
  const known = streams.get(workspace) ?? connect(workspace);
  streams.set(workspace, known);
  return known;
}

function connect(workspace: string): Connection {
  const refresh = (): void => refreshQueries('ringmaster', workspace);
  const arrive = batched<RingEvent>(COALESCE_MS, (events) => {
    recentRingTasks.mark(events.map(({ entity_id: id }) => id));
    workspaceChanges.set(events);
    refresh();
  });
  return createConnection(ringmasterApi.url('/workspaces/{workspace}/events/live', { params: { workspace } }), {
    onEvent({ event, data }) {
      if (event === 'reset') refresh();
      if (event === 'event') arrive(JSON.parse(data) as RingEvent);
    },
    onGap: refresh,
  });
}
