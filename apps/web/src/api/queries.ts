import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';

import { accountApi, authApi, systemApi, usersApi } from './clients.ts';
import { dataOf, readAll, readQuery, rowsOf } from './query-options.ts';
import type { Commit, DatabaseName } from './types.ts';

/** Queries whose key starts with `database, NAME` are refetched when that database changes. */

export const stateQuery = readQuery(['state'], (signal) => dataOf(authApi.GET('/state', { signal })));

export const meQuery = readQuery(['accounts', 'me'], (signal) => dataOf(accountApi.GET('/me', { signal })));

export const databasesQuery = readQuery(['databases'], (signal) => rowsOf(systemApi.GET('/databases', { signal })));

const COMMITS_PAGE = 100;

export function commitsQuery(name: DatabaseName) {
  return readQuery(['database', name, 'commits'], (signal) => readCommits(name, COMMITS_PAGE, signal));
}

/** Up to `atMost` commits, read once; the activity stream adds later ones. */
export function activityQuery(name: DatabaseName, atMost: number) {
  return queryOptions({
    queryKey: ['activity', name, atMost],
    queryFn: ({ signal }) => readCommits(name, atMost, signal),
    placeholderData: (previous) => previous,
  });
}

async function readCommits(name: DatabaseName, atMost: number, signal: AbortSignal): Promise<readonly Commit[]> {
  const commits: Commit[] = [];
  while (commits.length < atMost) {
    const before = commits.at(-1)?.revision;
    const query = { limit: COMMITS_PAGE, ...(before === undefined ? {} : { before }) };
    const { data } = await systemApi.GET('/databases/{database}/commits', {
      params: { database: name },
      query,
      signal,
    });
    commits.push(...data.data);
    if (data.data.length < COMMITS_PAGE) break;
  }
  return commits;
}

const KEYS_PAGE = 200;

export interface KeysFilter {
  readonly name: DatabaseName;
  readonly prefix: string;
  /** Returns where the next page starts, given the last key. Used to skip the other keys of a folder. */
  readonly skipOf?: (lastKey: string) => string;
  readonly mode: string;
}

export function keysQuery({ name, prefix, skipOf, mode }: KeysFilter) {
  return infiniteQueryOptions({
    queryKey: ['database', name, 'keys', prefix, mode],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => {
      const query = { prefix, limit: KEYS_PAGE, ...(pageParam === undefined ? {} : { after: pageParam }) };
      return dataOf(systemApi.GET('/databases/{database}/keys', { params: { database: name }, query, signal }));
    },
    getNextPageParam: ({ next_cursor: next }) => (next === null ? undefined : (skipOf?.(next) ?? next)),
  });
}

export function keyQuery(name: DatabaseName, key: string) {
  return queryOptions({
    queryKey: ['database', name, 'key', key],
    queryFn: async ({ signal }) => {
      const query = { prefix: key, limit: 1 };
      const found = await rowsOf(
        systemApi.GET('/databases/{database}/keys', { params: { database: name }, query, signal }),
      );
      return found.find((stored) => stored.key === key) ?? null;
    },
  });
}

export function backupsQuery(name: DatabaseName) {
  return readQuery(['backups', name], (signal) =>
    rowsOf(systemApi.GET('/databases/{database}/backups', { params: { database: name }, signal })),
  );
}

export const infoQuery = queryOptions({
  queryKey: ['info'],
  queryFn: async ({ signal }) => {
    const [{ data }, requests] = await Promise.all([systemApi.GET('/info', { signal }), requestCount(signal)]);
    return { ...data, requests, at: Date.now() };
  },
  refetchInterval: 2_000,
});

/** The folder that contains the commands; null if it is on the PATH. */
export const commandsFolderQuery = queryOptions({
  queryKey: ['commands-folder'],
  staleTime: Infinity,
  queryFn: async ({ signal }) => (await systemApi.GET('/info', { signal })).data.commands_folder,
});

export const sessionsQuery = readQuery(['accounts', 'sessions'], (signal) =>
  rowsOf(accountApi.GET('/sessions', { signal })),
);

export const tokensQuery = readQuery(['accounts', 'tokens'], (signal) => rowsOf(accountApi.GET('/tokens', { signal })));

const AUDIT_LIMIT = 100;

export const auditQuery = readQuery(['accounts', 'audit'], (signal) =>
  rowsOf(usersApi.GET('/audit', { query: { limit: AUDIT_LIMIT }, signal })),
);

const USERS_PAGE = 200;

export const usersQuery = readQuery(['accounts', 'users'], (signal) =>
  readAll(Infinity, (cursor) => usersApi.GET('/', { query: { limit: USERS_PAGE, ...cursor }, signal })),
);

const REQUEST_COUNTER = /^holdfast_http_request_duration_seconds_count\{[^\n]*\} (\d+)/gm;

/** How many requests the server has answered since it started, from its Prometheus metrics. */
async function requestCount(signal: AbortSignal): Promise<number> {
  const response = await fetch('/metrics', { signal });
  if (!response.ok) return 0;
  const text = await response.text();
  return [...text.matchAll(REQUEST_COUNTER)].reduce((sum, [, value]) => sum + Number(value), 0);
}
