import type { InfiniteData } from '@tanstack/react-query';

import { utaskApi } from '../../api/clients.ts';
import { queryClient, signedOut } from '../../api/query-client.ts';
import type { TaskPage } from '../../api/types.ts';
import type { TaskFilter } from '../../api/utask-queries.ts';
import { createFresh } from '../../lib/fresh.ts';
import { createStore } from '../../lib/store.ts';
import { batched } from '../../live/batched.ts';
import { createConnection } from '../../live/connection.ts';
import { refresher } from '../../live/refresher.ts';
import { type TaskChange, withChange } from './task-cache.ts';

const COALESCE_MS = 80;

/** What somebody else has just changed. */
export const freshTasks = createFresh();
export const taskNews = createStore<readonly TaskChange[]>([]);
/** What was changed here needs no telling: it is seen at once. */
const ownChanges = createFresh();

const refreshCounts = refresher(() => queryClient.invalidateQueries({ queryKey: ['utask', 'counts'] }));

/** Puts changes into every list that was read. */
function applyChanges(changes: readonly TaskChange[]): void {
  const lists = queryClient.getQueriesData<InfiniteData<TaskPage, string | undefined>>({
    queryKey: ['utask', 'tasks'],
  });
  for (const [queryKey, list] of lists) {
    if (list === undefined) continue;
    const filter = queryKey[2] as TaskFilter;
    queryClient.setQueryData(
      queryKey,
      changes.reduce((known, change) => withChange(known, filter, change), list),
    );
  }
  refreshCounts();
}

/** One that was made here: shown at once, and not told again when the stream brings it. */
export function applyOwn(change: TaskChange): void {
  ownChanges.mark([change.id]);
  applyChanges([change]);
}

const arrive = batched<TaskChange>(COALESCE_MS, (changes) => {
  applyChanges(changes);
  const news = changes.filter(({ id }) => !ownChanges.get().has(id));
  if (news.length === 0) return;
  freshTasks.mark(news.map(({ id }) => id));
  taskNews.set(news);
});

function readAnew(): void {
  void queryClient.invalidateQueries({ queryKey: ['utask'] });
}

/** Changes from every process and every machine that uses the list. */
export const taskStream = createConnection(utaskApi.url('/events'), {
  onEvent({ event, data }) {
    if (event === 'reset') readAnew();
    if (event === 'change') arrive(JSON.parse(data) as TaskChange);
  },
  onGap: readAnew,
  onSignedOut: () => signedOut.set(signedOut.get() + 1),
});
