import type { InfiniteData } from '@tanstack/react-query';

import { npApi } from '../../api/clients.ts';
import { planEventsQuery } from '../../api/np-queries.ts';
import { queryClient } from '../../api/query-client.ts';
import type { PlanEvent, PlanEventPage } from '../../api/types.ts';
import { createRecentIds } from '../../lib/recent-ids.ts';
import { createStore } from '../../lib/store.ts';
import { batched } from '../../live/batched.ts';
import { createConnection } from '../../live/connection.ts';
import { refreshQueries } from '../../live/refresh-queries.ts';
import { appendEvents } from './append-events.ts';

interface PlanChange {
  readonly sid: string;
  readonly event: PlanEvent;
}

const COALESCE_MS = 80;

/** Recently changed sessions, tasks (`sid/id`) and events (`sid/#seq`). */
export const recentPlans = createRecentIds();

export const planChanges = createStore<readonly PlanChange[]>([]);

const arrive = batched<PlanChange>(COALESCE_MS, (changes) => {
  recentPlans.mark(changes.flatMap(marksOf));
  planChanges.set(changes);
  for (const sid of new Set(changes.map((each) => each.sid))) {
    append(
      sid,
      changes.filter((each) => each.sid === sid).map(({ event }) => event),
    );
  }
  refreshQueries('np', 'plan');
  refreshQueries('np', 'sessions');
});

function refetchAll(): void {
  void queryClient.invalidateQueries({ queryKey: ['np'] });
}

export const planStream = createConnection(npApi.url('/events'), {
  onEvent({ event, data }) {
    if (event === 'reset') refetchAll();
    if (event !== 'change') return;
    for (const each of (JSON.parse(data) as { readonly events: readonly PlanChange[] }).events) arrive(each);
  },
  onGap: refetchAll,
});

function append(sid: string, events: readonly PlanEvent[]): void {
  const { queryKey } = planEventsQuery(sid);
  const known = queryClient.getQueryData<InfiniteData<PlanEventPage, string | undefined>>(queryKey);
  if (known === undefined) return;
  const next = appendEvents(known, events);
  if (next === undefined) void queryClient.invalidateQueries({ queryKey });
  else queryClient.setQueryData(queryKey, next);
}

function marksOf({ sid, event: { seq, payload } }: PlanChange): readonly string[] {
  const task = 'task_id' in payload ? payload.task_id : 'task' in payload ? payload.task.id : undefined;
  return [sid, `${sid}/#${seq}`, ...(task === undefined ? [] : [`${sid}/${task}`])];
}
