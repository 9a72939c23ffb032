import type { InfiniteData } from '@tanstack/react-query';

import { utaskApi } from '../../api/clients.ts';
import { queryClient } from '../../api/query-client.ts';
import type { TaskPage } from '../../api/types.ts';
import type { TaskFilter } from '../../api/utask-queries.ts';
import { createRecentIds } from '../../lib/recent-ids.ts';
import { createStore } from '../../lib/store.ts';
import { batched } from '../../live/batched.ts';
import { createConnection } from '../../live/connection.ts';
import { refreshQueries } from '../../live/refresh-queries.ts';
import { type TaskChange, withChange } from './cached-tasks.ts';

const COALESCE_MS = 80;

export const recentTasks = createRecentIds();
export const taskChanges = createStore<readonly TaskChange[]>([]);
/** Tasks that this tab changed. They are neither highlighted nor announced. */
const ownChanges = createRecentIds();

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
  refreshQueries('utask', 'counts');
}

export function applyOwn(change: TaskChange): void {
  ownChanges.mark([change.id]);
  applyChanges([change]);
}

const arrive = batched<TaskChange>(COALESCE_MS, (changes) => {
  applyChanges(changes);
  const foreign = changes.filter(({ id }) => !ownChanges.get().has(id));
  if (foreign.length === 0) return;
  recentTasks.mark(foreign.map(({ id }) => id));
  taskChanges.set(foreign);
});

function refetchAll(): void {
  void queryClient.invalidateQueries({ queryKey: ['utask'] });
}

export const taskStream = createConnection(utaskApi.url('/events'), {
  onEvent({ event, data }) {
    if (event === 'reset') refetchAll();
    if (event === 'change') arrive(JSON.parse(data) as TaskChange);
  },
  onGap: refetchAll,
});
