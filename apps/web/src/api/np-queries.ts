import { npApi } from './clients.ts';
import { dataOf, livePages, liveQuery, readQuery, rowsOf } from './query-options.ts';
import type { SessionState } from './types.ts';

// The event stream refreshes all queries whose key starts with `np`.

const PAGE = 50;
const EVENTS_PAGE = 100;

export function plansQuery(state: SessionState, search: string) {
  return livePages(['np', 'sessions', state, search], PAGE, (query, signal) =>
    npApi.GET('/sessions', { query: { ...query, state, search }, signal }),
  );
}

export function planQuery(sid: string) {
  return liveQuery(['np', 'plan', sid], (signal) => dataOf(npApi.GET('/sessions/{sid}', { params: { sid }, signal })));
}

export function planEventsQuery(sid: string) {
  return livePages(['np', 'events', sid], EVENTS_PAGE, (query, signal) =>
    npApi.GET('/sessions/{sid}/events', { params: { sid }, query: { ...query, order: 'newest' }, signal }),
  );
}

const GLANCE = 3;

/** For the home page, which refetches when a database changes and does not follow the event stream of plans. */
export const plansGlanceQuery = readQuery(['database', 'np', 'glance'], (signal) =>
  rowsOf(npApi.GET('/sessions', { query: { state: 'active', limit: GLANCE }, signal })),
);
