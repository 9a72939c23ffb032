import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';

import { accountApi, authApi, overviewApi, systemApi, usersApi } from './clients.ts';
import { dataOf, given, livePages, readAll, readQuery, rowsOf } from './query-options.ts';
import type { AuditType, Commit, DatabaseName } from './types.ts';

/** Queries whose key starts with `database, NAME` are refetched when that database changes. */

export const stateQuery = readQuery(['state'], (signal) => dataOf(authApi.GET('/state', { signal })));

export const meQuery = readQuery(['accounts', 'me'], (signal) => dataOf(accountApi.GET('/me', { signal })));

export const databasesQuery = readQuery(['databases'], (signal) => rowsOf(systemApi.GET('/databases', { signal })));

/** The results of the previous text stay until those of the new text arrive. */
export function searchQuery(q: string) {
  return queryOptions({
    ...readQuery(['search', q], (signal) => dataOf(overviewApi.GET('/search', { query: { q }, signal }))),
    enabled: q !== '',
    gcTime: 0,
    placeholderData: (previous) => previous,
  });
}

/** Subfolders of a folder on the server or, without a path, the folders that the server offers. */
export function foldersQuery(path: string) {
  return readQuery(['folders', path], (signal) =>
    dataOf(systemApi.GET('/folders', { query: path === '' ? {} : { path }, signal })),
  );
}

const INBOX_EVERY_MS = 20_000;

/** Polled, because the items come from all applications and depend on the time. */
export function inboxQuery(isSnoozed = false) {
  return queryOptions({
    queryKey: ['inbox', isSnoozed],
    refetchInterval: INBOX_EVERY_MS,
    queryFn: ({ signal }) => dataOf(overviewApi.GET('/inbox', { query: { snoozed: isSnoozed }, signal })),
  });
}

export const demoQuery = readQuery(['demo'], (signal) => dataOf(systemApi.GET('/demo', { signal })));

/** Recent changes with their authors. Polled, because the changes come from all applications. */
export const changesQuery = queryOptions({
  queryKey: ['changes'],
  refetchInterval: INBOX_EVERY_MS,
  queryFn: ({ signal }) => dataOf(overviewApi.GET('/activity', { query: { limit: 300 }, signal })),
});

/** The item at an address of the dashboard, and the items that link to it. */
export function linksQuery(path: string) {
  return readQuery(['links', path], (signal) => dataOf(overviewApi.GET('/links', { query: { path }, signal })));
}

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
  /**
   * Given the last key of a page, returns the key after which the next page starts. Used to skip the remaining keys of
   * a folder.
   */
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

export const linkQuery = readQuery(['accounts', 'oidc-link'], (signal) =>
  dataOf(accountApi.GET('/oidc-link', { signal })),
);

const AUDIT_PAGE = 100;

export function auditQuery(filter: { readonly type: AuditType | undefined; readonly user: string }) {
  return livePages(['accounts', 'audit', filter], AUDIT_PAGE, (page, signal) =>
    usersApi.GET('/audit', { query: { ...given(filter), ...page }, signal }),
  );
}

const USERS_PAGE = 200;

export const usersQuery = readQuery(['accounts', 'users'], (signal) =>
  readAll(Infinity, (cursor) => usersApi.GET('/', { query: { limit: USERS_PAGE, ...cursor }, signal })),
);

const REQUEST_COUNTER = /^holdfast_http_request_duration_seconds_count\{[^\n]*\} (\d+)/gm;

/** Returns the number of requests that the server has answered since it started, from its Prometheus metrics. */
async function requestCount(signal: AbortSignal): Promise<number> {
  const response = await fetch('/metrics', { signal });
  if (!response.ok) return 0;
  const text = await response.text();
  return [...text.matchAll(REQUEST_COUNTER)].reduce((sum, [, value]) => sum + Number(value), 0);
}
