import { queryOptions } from '@tanstack/react-query';

import { utaskApi } from './clients.ts';
import { dataOf, livePages, liveQuery, rowsOf } from './query-options.ts';

/** The event stream refreshes all queries whose key starts with `utask`. */

export interface TaskFilter {
  readonly state: 'open' | 'done' | 'all';
  readonly tags: readonly string[];
  readonly match: 'any' | 'all';
  readonly search: string;
}

const PAGE = 200;

export function tasksQuery(filter: TaskFilter) {
  const { state, tags, match, search } = filter;
  const wanted = { state, words: search === '' ? [] : [search], [match]: tags, order: 'newest' } as const;
  return livePages(['utask', 'tasks', filter], PAGE, (query, signal) =>
    utaskApi.GET('/tasks', { query: { ...query, ...wanted }, signal }),
  );
}

export const taskCountsQuery = liveQuery(['utask', 'counts'], (signal) => dataOf(utaskApi.GET('/tags', { signal })));

export const taskStorageQuery = liveQuery(['utask', 'storage'], (signal) =>
  dataOf(utaskApi.GET('/status', { signal })),
);

/** For the home page, which refetches when a database changes and does not follow the event stream of tasks. */
export const tasksGlanceQuery = queryOptions({
  queryKey: ['database', 'utask', 'glance'],
  queryFn: async ({ signal }) => {
    const query = { state: 'open', order: 'newest', limit: 3 } as const;
    const [{ open, done }, latest] = await Promise.all([
      dataOf(utaskApi.GET('/tags', { signal })),
      rowsOf(utaskApi.GET('/tasks', { query, signal })),
    ]);
    return { open, done, latest };
  },
});
