import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';

import { accountApi, authApi, systemApi, usersApi } from './clients.ts';
import { requestCount } from './request-count.ts';
import type { Commit, DatabaseName, User } from './types.ts';

/** Everything the pages read. Keys that begin with `database, NAME` are read again when that database has changed. */

export const stateQuery = queryOptions({
  queryKey: ['state'],
  queryFn: async ({ signal }) => (await authApi.GET('/state', { signal })).data,
});

export const meQuery = queryOptions({
  queryKey: ['accounts', 'me'],
  queryFn: async ({ signal }) => (await accountApi.GET('/me', { signal })).data,
});

export const databasesQuery = queryOptions({
  queryKey: ['databases'],
  queryFn: async ({ signal }) => (await systemApi.GET('/databases', { signal })).data.data,
});

const COMMITS_PAGE = 100;

/** The newest commits of one database, read again whenever it has changed. */
export function commitsQuery(name: DatabaseName) {
  return queryOptions({
    queryKey: ['database', name, 'commits'],
    queryFn: ({ signal }) => readCommits(name, COMMITS_PAGE, signal),
  });
}

/** As many commits as asked for, read once: what comes later is told by the stream. */
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
    const { data } = await systemApi.GET('/databases/{name}/commits', { params: { name }, query, signal });
    commits.push(...data.data);
    if (data.data.length < COMMITS_PAGE) break;
  }
  return commits;
}

const KEYS_PAGE = 200;

export interface KeysPlace {
  readonly name: DatabaseName;
  readonly prefix: string;
  /** The text after which a key is no longer of interest by itself, so that the rest of its group is passed over. */
  readonly skipOf?: (lastKey: string) => string;
  readonly mode: string;
}

export function keysQuery({ name, prefix, skipOf, mode }: KeysPlace) {
  return infiniteQueryOptions({
    queryKey: ['database', name, 'keys', prefix, mode],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const query = { prefix, limit: KEYS_PAGE, ...(pageParam === undefined ? {} : { after: pageParam }) };
      return (await systemApi.GET('/databases/{name}/keys', { params: { name }, query, signal })).data;
    },
    getNextPageParam: ({ next_cursor: next }) => (next === null ? undefined : (skipOf?.(next) ?? next)),
  });
}

export function keyQuery(name: DatabaseName, key: string) {
  return queryOptions({
    queryKey: ['database', name, 'key', key],
    queryFn: async ({ signal }) => {
      const query = { prefix: key, limit: 1 };
      const { data } = await systemApi.GET('/databases/{name}/keys', { params: { name }, query, signal });
      return data.data.find((stored) => stored.key === key) ?? null;
    },
  });
}

export function backupsQuery(name: DatabaseName) {
  return queryOptions({
    queryKey: ['backups', name],
    queryFn: async ({ signal }) =>
      (await systemApi.GET('/databases/{name}/backups', { params: { name }, signal })).data.data,
  });
}

export const infoQuery = queryOptions({
  queryKey: ['info'],
  queryFn: async ({ signal }) => {
    const [{ data }, requests] = await Promise.all([systemApi.GET('/info', { signal }), requestCount(signal)]);
    return { ...data, requests, at: Date.now() };
  },
  refetchInterval: 2_000,
});

/** Where the commands are, if a shell would not find them. */
export const commandsFolderQuery = queryOptions({
  queryKey: ['commands-folder'],
  staleTime: Infinity,
  queryFn: async ({ signal }) => (await systemApi.GET('/info', { signal })).data.commands_folder,
});

export const sessionsQuery = queryOptions({
  queryKey: ['accounts', 'sessions'],
  queryFn: async ({ signal }) => (await accountApi.GET('/sessions', { signal })).data.data,
});

export const tokensQuery = queryOptions({
  queryKey: ['accounts', 'tokens'],
  queryFn: async ({ signal }) => (await accountApi.GET('/tokens', { signal })).data.data,
});

const AUDIT_LIMIT = 100;

export const auditQuery = queryOptions({
  queryKey: ['accounts', 'audit'],
  queryFn: async ({ signal }) => (await usersApi.GET('/audit', { query: { limit: AUDIT_LIMIT }, signal })).data.data,
});

export const usersQuery = queryOptions({
  queryKey: ['accounts', 'users'],
  queryFn: async ({ signal }) => {
    const users: User[] = [];
    let cursor: string | undefined;
    do {
      const query: { limit: number; cursor?: string } = { limit: 200 };
      if (cursor !== undefined) query.cursor = cursor;
      const { data } = await usersApi.GET('/', { query, signal });
      users.push(...data.data);
      cursor = data.next_cursor ?? undefined;
    } while (cursor !== undefined);
    return users;
  },
});
