import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';

import { codexApi } from './clients.ts';
import { dataOf, given, livePages, liveQuery, readQuery, rowsOf } from './query-options.ts';
import type { CodexEvent } from './types.ts';

/** The event stream refreshes all queries whose key starts with `codex, NOTEBOOK`. */

const PAGE = 50;
const RECENT = 200;
const UNSETTLED_EVERY_MS = 1_000;

export const notebooksQuery = readQuery(['codex', 'notebooks'], (signal) =>
  rowsOf(codexApi.GET('/notebooks', { signal })),
);

export function notebookStatusQuery(id: string) {
  return queryOptions({
    ...liveQuery(['codex', id, 'status'], (signal) =>
      dataOf(codexApi.GET('/notebooks/{notebook}/status', { params: { notebook: id }, signal })),
    ),
    // Polls while the server reads a folder or runs a git operation, because neither sends events.
    refetchInterval: ({ state: { data } }) =>
      typeof data?.watcher?.comparing === 'number' ||
      (data?.watcher?.importing ?? null) !== null ||
      data?.paused?.is_manual === false
        ? UNSETTLED_EVERY_MS
        : false,
  });
}

/** The newest operations of a notebook; the event stream adds later ones. */
export function recentQuery(id: string) {
  return liveQuery(['codex-recent', id], (signal): Promise<readonly CodexEvent[]> => {
    const query = { notebook: id, limit: RECENT };
    return rowsOf(codexApi.GET('/events', { query, signal }));
  });
}

export function noteQuery(id: string, fileId: string) {
  return liveQuery(['codex', id, 'file', fileId], (signal) =>
    dataOf(codexApi.GET('/notebooks/{notebook}/files/{file}', { params: { notebook: id, file: fileId }, signal })),
  );
}

export function templatesQuery(id: string) {
  return readQuery(['codex', id, 'templates'], (signal) =>
    rowsOf(codexApi.GET('/notebooks/{notebook}/templates', { params: { notebook: id }, signal })),
  );
}

export function foldersQuery(id: string) {
  const input = { params: { notebook: id }, query: { limit: RECENT } };
  return readQuery(['codex', id, 'folders'], (signal) =>
    rowsOf(codexApi.GET('/notebooks/{notebook}/folders', { ...input, signal })),
  );
}

export function noteHistoryQuery(id: string, fileId: string) {
  const params = { notebook: id, file: fileId };
  return livePages(['codex', id, 'history', fileId], PAGE, (query, signal) =>
    codexApi.GET('/notebooks/{notebook}/files/{file}/history', { params, query, signal }),
  );
}

/** The text of a file at a commit, which never changes. */
export function versionQuery(id: string, fileId: string, commit: string) {
  const params = { notebook: id, file: fileId, commit };
  return liveQuery(['codex-version', id, fileId, commit], async (signal) =>
    (await codexApi.GET('/notebooks/{notebook}/files/{file}/history/{commit}', { params, signal })).data.text(),
  );
}

export function notebookHistoryQuery(id: string) {
  return livePages(['codex', id, 'history'], PAGE, (query, signal) =>
    codexApi.GET('/notebooks/{notebook}/history', { params: { notebook: id }, query, signal }),
  );
}

/** A commit never changes, so this query never becomes stale. */
export function commitQuery(id: string, sha: string) {
  return liveQuery(['codex-commit', id, sha], (signal) =>
    dataOf(codexApi.GET('/notebooks/{notebook}/commits/{commit}', { params: { notebook: id, commit: sha }, signal })),
  );
}

export type EventStatus = CodexEvent['status'];

export interface QueueFilter {
  readonly status: EventStatus | undefined;
  readonly notebook: string;
}

export function queueQuery({ status, notebook }: QueueFilter) {
  const filter = given({ status, notebook });
  return infiniteQueryOptions({
    ...livePages(['codex', 'queue', 'events', status ?? '', notebook], PAGE, (query, signal) =>
      codexApi.GET('/events', { query: { ...query, ...filter }, signal }),
    ),
    placeholderData: (previous) => previous,
  });
}

export function eventQuery(id: string) {
  return liveQuery(['codex', 'queue', 'event', id], (signal) =>
    dataOf(codexApi.GET('/events/{id}', { params: { id }, signal })),
  );
}

export const metricsQuery = liveQuery(['codex', 'queue', 'metrics'], (signal) =>
  dataOf(codexApi.GET('/events/metrics', { signal })),
);

const PLOT_EVERY_MS = 5_000;

/** Values for charts. Polls, because a chart advances even when nothing changes. */
export function queuePlotQuery(minutes: number) {
  return queryOptions({
    queryKey: ['codex-figures', minutes],
    refetchInterval: PLOT_EVERY_MS,
    queryFn: ({ signal }) => dataOf(codexApi.GET('/events/metrics/history', { query: { minutes }, signal })),
  });
}

export function trashQuery(id: string) {
  return liveQuery(['codex', id, 'trash'], (signal) =>
    rowsOf(codexApi.GET('/notebooks/{notebook}/trash', { params: { notebook: id }, signal })),
  );
}

export interface NoteSearch {
  readonly q: string;
  readonly tags: readonly string[];
  /** Each has the form `name:value`. */
  readonly properties: readonly string[];
  readonly path: string;
  readonly after: string;
  readonly before: string;
  /** True to search all notebooks. */
  readonly isEverywhere: boolean;
}

/** Matching notes in one or all notebooks, best first. The previous results stay until the next ones arrive. */
export function searchQuery(id: string, search: NoteSearch) {
  const { q, tags, properties, path, after, before } = search;
  const filter = { tags: [...tags], properties: [...properties], ...given({ query: q, path, after, before }) };
  return infiniteQueryOptions({
    ...livePages(['codex', search.isEverywhere ? 'all' : id, 'search', search], PAGE, (query, signal) =>
      search.isEverywhere
        ? codexApi.GET('/search', { query: { ...query, ...filter }, signal })
        : codexApi.GET('/notebooks/{notebook}/search', {
            params: { notebook: id },
            query: { ...query, ...filter },
            signal,
          }),
    ),
    placeholderData: (previous) => previous,
  });
}

export function tagsQuery(id: string) {
  return liveQuery(['codex', id, 'tags'], (signal) =>
    rowsOf(codexApi.GET('/notebooks/{notebook}/tags', { params: { notebook: id }, signal })),
  );
}

export function propertiesQuery(id: string) {
  return liveQuery(['codex', id, 'properties'], (signal) =>
    rowsOf(codexApi.GET('/notebooks/{notebook}/properties', { params: { notebook: id }, signal })),
  );
}

export function linkNamesQuery(id: string, text: string) {
  const input = { params: { notebook: id }, query: { query: text } };
  return queryOptions({
    queryKey: ['codex', id, 'names', text],
    queryFn: ({ signal }) => rowsOf(codexApi.GET('/notebooks/{notebook}/link-names', { ...input, signal })),
    placeholderData: (previous) => previous,
  });
}

export function linksQuery(id: string, fileId: string) {
  return liveQuery(['codex', id, 'links', fileId], (signal) =>
    dataOf(
      codexApi.GET('/notebooks/{notebook}/files/{file}/links', { params: { notebook: id, file: fileId }, signal }),
    ),
  );
}

export function linkGraphQuery(id: string) {
  return liveQuery(['codex', id, 'link-graph'], (signal) =>
    dataOf(codexApi.GET('/notebooks/{notebook}/link-graph', { params: { notebook: id }, signal })),
  );
}

const GLANCE = 4;

/** For the home page, which refetches when a database changes and does not follow the event stream of operations. */
export const notebooksGlanceQuery = queryOptions({
  queryKey: ['database', 'codex', 'glance'],
  queryFn: async ({ signal }) => {
    const [notebooks, { pending, dead, notebooks: own }] = await Promise.all([
      rowsOf(codexApi.GET('/notebooks', { signal })),
      dataOf(codexApi.GET('/events/metrics', { signal })),
    ]);
    const uncommitted = own.reduce((sum, each) => sum + each.git_pending, 0);
    return { notebooks: notebooks.slice(0, GLANCE), pending, dead, uncommitted };
  },
});

/** Returns whether an operation leads to a commit. Operations on empty folders and unchanged files do not. */
export function isForHistory({ operation, result }: CodexEvent): boolean {
  if (result?.['unchanged'] === true) return false;
  return operation['kind'] !== 'folder' || (result?.['file_count'] ?? 0) !== 0;
}
