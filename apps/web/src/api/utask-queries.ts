import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';

import { utaskApi } from './clients.ts';
import { byCursor, followed } from './query-options.ts';

/** What the pages read of utask. Everything below `utask` is kept current by the stream of tasks. */

export interface TaskFilter {
  readonly state: 'open' | 'done' | 'all';
  readonly tags: readonly string[];
  readonly match: 'any' | 'all';
  readonly search: string;
}

const PAGE = 200;

export function tasksQuery(filter: TaskFilter) {
  const { state, tags, match, search } = filter;
  return infiniteQueryOptions({
    queryKey: ['utask', 'tasks', filter],
    ...followed,
    ...byCursor,
    queryFn: async ({ pageParam, signal }) => {
      const cursor = pageParam === undefined ? {} : { cursor: pageParam };
      const query = { state, search, [match]: tags.join(','), order: 'newest', limit: PAGE, ...cursor } as const;
      return (await utaskApi.GET('/tasks', { query, signal })).data;
    },
  });
}

export const taskCountsQuery = queryOptions({
  queryKey: ['utask', 'counts'],
  ...followed,
  queryFn: async ({ signal }) => (await utaskApi.GET('/tags', { signal })).data,
});

export const taskPlaceQuery = queryOptions({
  queryKey: ['utask', 'place'],
  ...followed,
  queryFn: async ({ signal }) => (await utaskApi.GET('/status', { signal })).data,
});

/** For the home page, which follows databases and not tasks. */
export const tasksGlanceQuery = queryOptions({
  queryKey: ['database', 'utask', 'glance'],
  queryFn: async ({ signal }) => {
    const query = { state: 'open', order: 'newest', limit: 3 } as const;
    const [counts, latest] = await Promise.all([
      utaskApi.GET('/tags', { signal }),
      utaskApi.GET('/tasks', { query, signal }),
    ]);
    return { open: counts.data.open, done: counts.data.done, latest: latest.data.data };
  },
});
