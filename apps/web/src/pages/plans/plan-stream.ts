import type { InfiniteData } from '@tanstack/react-query';

import { npApi } from '../../api/clients.ts';
import { planEventsQuery } from '../../api/np-queries.ts';
import { queryClient, signedOut } from '../../api/query-client.ts';
import type { PlanEvent, PlanEventPage } from '../../api/types.ts';
import { createFresh } from '../../lib/fresh.ts';
import { createStore } from '../../lib/store.ts';
import { batched } from '../../live/batched.ts';
import { createConnection } from '../../live/connection.ts';
import { refresher } from '../../live/refresher.ts';
import { withArrived } from './arrived.ts';

interface Arrived {
  readonly sid: string;
  readonly event: PlanEvent;
}

const COALESCE_MS = 80;

/** Sessions, tasks (`sid/id`) and events (`sid/#seq`) that have just changed. */
export const freshPlans = createFresh();

/** What was told last, for those who do not see it. */
export const planNews = createStore<readonly Arrived[]>([]);

const refreshPlans = refresher(() =>
  Promise.all(['plan', 'sessions'].map((part) => queryClient.invalidateQueries({ queryKey: ['np', part] }))),
);

const arrive = batched<Arrived>(COALESCE_MS, (arrived) => {
  freshPlans.mark(arrived.flatMap(marksOf));
  planNews.set(arrived);
  for (const sid of new Set(arrived.map((each) => each.sid))) {
    append(
      sid,
      arrived.filter((each) => each.sid === sid).map(({ event }) => event),
    );
  }
  refreshPlans();
});

/** What happened in another process, as it happens. */
export const planStream = createConnection(npApi.url('/events'), {
  onEvent({ event, data }) {
    if (event === 'reset') void queryClient.invalidateQueries({ queryKey: ['np'] });
    if (event !== 'change') return;
    for (const each of (JSON.parse(data) as { readonly events: readonly Arrived[] }).events) arrive(each);
  },
  onGap: () => void queryClient.invalidateQueries({ queryKey: ['np'] }),
  onSignedOut: () => signedOut.set(signedOut.get() + 1),
});

function append(sid: string, events: readonly PlanEvent[]): void {
  const { queryKey } = planEventsQuery(sid);
  const known = queryClient.getQueryData<InfiniteData<PlanEventPage, string | undefined>>(queryKey);
  if (known === undefined) return;
  const next = withArrived(known, events);
  if (next === undefined) void queryClient.invalidateQueries({ queryKey });
  else queryClient.setQueryData(queryKey, next);
}

function marksOf({ sid, event: { seq, payload } }: Arrived): readonly string[] {
  const task = 'task_id' in payload ? payload.task_id : 'task' in payload ? payload.task.id : undefined;
  return [sid, `${sid}/#${seq}`, ...(task === undefined ? [] : [`${sid}/${task}`])];
}
