import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';

import { npApi } from './clients.ts';
import { byCursor, followed } from './query-options.ts';
import type { SessionState } from './types.ts';

/** What the pages read of np. Everything below `np` is kept current by the stream of plans. */

const PAGE = 50;
const EVENTS_PAGE = 100;

export function plansQuery(state: SessionState, search: string) {
  return infiniteQueryOptions({
    queryKey: ['np', 'sessions', state, search],
    ...followed,
    ...byCursor,
    queryFn: async ({ pageParam, signal }) => {
      const query = { state, search, limit: PAGE, ...(pageParam === undefined ? {} : { cursor: pageParam }) };
      return (await npApi.GET('/sessions', { query, signal })).data;
    },
  });
}

export function planQuery(sid: string) {
  return queryOptions({
    queryKey: ['np', 'plan', sid],
    ...followed,
    queryFn: async ({ signal }) => (await npApi.GET('/sessions/{sid}', { params: { sid }, signal })).data,
  });
}

export function planEventsQuery(sid: string) {
  return infiniteQueryOptions({
    queryKey: ['np', 'events', sid],
    ...followed,
    ...byCursor,
    queryFn: async ({ pageParam, signal }) => {
      const cursor = pageParam === undefined ? {} : { cursor: pageParam };
      const query = { order: 'newest', limit: EVENTS_PAGE, ...cursor } as const;
      return (await npApi.GET('/sessions/{sid}/events', { params: { sid }, query, signal })).data;
    },
  });
}

const GLANCE = 3;

/** For the home page, which follows databases and not plans. */
export const plansGlanceQuery = queryOptions({
  queryKey: ['database', 'np', 'glance'],
  queryFn: async ({ signal }) => {
    const query = { state: 'active', limit: GLANCE } as const;
    return (await npApi.GET('/sessions', { query, signal })).data.data;
  },
});
