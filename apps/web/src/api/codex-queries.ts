import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';

import { type CodexEvent, codexApi } from './codex-client.ts';
import { byCursor, followed } from './query-options.ts';

/** What the pages read of codex. Everything below `codex, NOTEBOOK` is kept current by the stream of its events. */

/** What cannot change. */
const fixed = { staleTime: Infinity } as const;
const PAGE = 50;
const RECENT = 200;

export const notebooksQuery = queryOptions({
  queryKey: ['codex', 'notebooks'],
  queryFn: async ({ signal }) => (await codexApi.GET('/notebooks', { signal })).data.data,
});

export function notebookStatusQuery(id: string) {
  return queryOptions({
    queryKey: ['codex', id, 'status'],
    ...followed,
    queryFn: async ({ signal }) => (await codexApi.GET('/notebooks/{id}/status', { params: { id }, signal })).data,
  });
}

/** The newest operations of a notebook; later ones are put in as they are told. */
export function recentQuery(id: string) {
  return queryOptions({
    queryKey: ['codex-recent', id],
    ...followed,
    queryFn: async ({ signal }): Promise<readonly CodexEvent[]> => {
      const query = { notebook_id: id, limit: RECENT };
      return (await codexApi.GET('/events', { query, signal })).data.data;
    },
  });
}

export function noteQuery(id: string, fileId: string) {
  return queryOptions({
    queryKey: ['codex', id, 'file', fileId],
    ...followed,
    queryFn: async ({ signal }) =>
      (await codexApi.GET('/notebooks/{id}/files/{file_id}', { params: { id, file_id: fileId }, signal })).data,
  });
}

export function templatesQuery(id: string) {
  return queryOptions({
    queryKey: ['codex', id, 'templates'],
    queryFn: async ({ signal }) =>
      (await codexApi.GET('/notebooks/{id}/templates', { params: { id }, signal })).data.data,
  });
}

/** For suggestions: the first folders by path. */
export function foldersQuery(id: string) {
  return queryOptions({
    queryKey: ['codex', id, 'folders'],
    queryFn: async ({ signal }) => {
      const query = { limit: RECENT };
      return (await codexApi.GET('/notebooks/{id}/folders', { params: { id }, query, signal })).data.data;
    },
  });
}

export function noteHistoryQuery(id: string, fileId: string) {
  return infiniteQueryOptions({
    queryKey: ['codex', id, 'history', fileId],
    ...followed,
    ...byCursor,
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: PAGE, ...(pageParam === undefined ? {} : { cursor: pageParam }) };
      const params = { id, file_id: fileId };
      return (await codexApi.GET('/notebooks/{id}/files/{file_id}/history', { params, query, signal })).data;
    },
  });
}

/** The text of a file as it was at a commit. */
export function versionQuery(id: string, fileId: string, commit: string) {
  return queryOptions({
    queryKey: ['codex-version', id, fileId, commit],
    ...fixed,
    queryFn: async ({ signal }) => {
      const params = { id, file_id: fileId, commit };
      return (await codexApi.GET('/notebooks/{id}/files/{file_id}/history/{commit}', { params, signal })).data.text();
    },
  });
}

export function notebookHistoryQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: ['codex', id, 'history'],
    ...followed,
    ...byCursor,
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: PAGE, ...(pageParam === undefined ? {} : { cursor: pageParam }) };
      return (await codexApi.GET('/notebooks/{id}/history', { params: { id }, query, signal })).data;
    },
  });
}

export function commitQuery(id: string, sha: string) {
  return queryOptions({
    queryKey: ['codex-commit', id, sha],
    ...fixed,
    queryFn: async ({ signal }) =>
      (await codexApi.GET('/notebooks/{id}/commits/{sha}', { params: { id, sha }, signal })).data,
  });
}

export type EventStatus = CodexEvent['status'];

export interface QueueFilter {
  readonly status: EventStatus | undefined;
  readonly notebook: string;
}

/** Operations of all notebooks, or of one, the newest first. */
export function queueQuery({ status, notebook }: QueueFilter) {
  return infiniteQueryOptions({
    queryKey: ['codex', 'queue', 'events', status ?? '', notebook],
    ...followed,
    ...byCursor,
    queryFn: async ({ pageParam, signal }) => {
      const query = {
        limit: PAGE,
        ...(status === undefined ? {} : { status }),
        ...(notebook === '' ? {} : { notebook_id: notebook }),
        ...(pageParam === undefined ? {} : { cursor: pageParam }),
      };
      return (await codexApi.GET('/events', { query, signal })).data;
    },
    placeholderData: (previous) => previous,
  });
}

export function eventQuery(id: string) {
  return queryOptions({
    queryKey: ['codex', 'queue', 'event', id],
    ...followed,
    queryFn: async ({ signal }) => (await codexApi.GET('/events/{id}', { params: { id }, signal })).data,
  });
}

export const metricsQuery = queryOptions({
  queryKey: ['codex', 'queue', 'metrics'],
  ...followed,
  queryFn: async ({ signal }) => (await codexApi.GET('/events/metrics', { signal })).data,
});

const FIGURES_EVERY_MS = 5_000;

/** For plots, which move on by themselves. */
export function queueFiguresQuery(minutes: number) {
  return queryOptions({
    queryKey: ['codex-figures', minutes],
    refetchInterval: FIGURES_EVERY_MS,
    queryFn: async ({ signal }) => (await codexApi.GET('/events/figures', { query: { minutes }, signal })).data,
  });
}

export function trashQuery(id: string) {
  return queryOptions({
    queryKey: ['codex', id, 'trash'],
    ...followed,
    queryFn: async ({ signal }) => (await codexApi.GET('/notebooks/{id}/trash', { params: { id }, signal })).data.data,
  });
}

export interface NoteSearch {
  readonly q: string;
  readonly tags: readonly string[];
  /** `name:value` each. */
  readonly properties: readonly string[];
  readonly path: string;
  readonly after: string;
  readonly before: string;
}

/** Notes with these words and of this kind, the best first. What was found stays while more is typed. */
export function searchQuery(id: string, { q, tags, properties, path, after, before }: NoteSearch) {
  return infiniteQueryOptions({
    queryKey: ['codex', id, 'search', q, tags, properties, path, after, before],
    ...followed,
    ...byCursor,
    queryFn: async ({ pageParam, signal }) => {
      const query = {
        limit: PAGE,
        tag: [...tags],
        property: [...properties],
        ...(q === '' ? {} : { q }),
        ...(path === '' ? {} : { path }),
        ...(after === '' ? {} : { after }),
        ...(before === '' ? {} : { before }),
        ...(pageParam === undefined ? {} : { cursor: pageParam }),
      };
      return (await codexApi.GET('/notebooks/{id}/search', { params: { id }, query, signal })).data;
    },
    placeholderData: (previous) => previous,
  });
}

export function tagsQuery(id: string) {
  return queryOptions({
    queryKey: ['codex', id, 'tags'],
    ...followed,
    queryFn: async ({ signal }) => (await codexApi.GET('/notebooks/{id}/tags', { params: { id }, signal })).data.data,
  });
}

export function propertiesQuery(id: string) {
  return queryOptions({
    queryKey: ['codex', id, 'properties'],
    ...followed,
    queryFn: async ({ signal }) =>
      (await codexApi.GET('/notebooks/{id}/properties', { params: { id }, signal })).data.data,
  });
}

/** Notes by a part of their name. */
export function linkNamesQuery(id: string, text: string) {
  return queryOptions({
    queryKey: ['codex', id, 'names', text],
    queryFn: async ({ signal }) => {
      const query = { q: text };
      return (await codexApi.GET('/notebooks/{id}/link-names', { params: { id }, query, signal })).data.data;
    },
    placeholderData: (previous) => previous,
  });
}

/** To and from a note. */
export function linksQuery(id: string, fileId: string) {
  return queryOptions({
    queryKey: ['codex', id, 'links', fileId],
    ...followed,
    queryFn: async ({ signal }) => {
      const params = { id, file_id: fileId };
      return (await codexApi.GET('/notebooks/{id}/files/{file_id}/links', { params, signal })).data;
    },
  });
}

const GLANCE = 4;

/** For the home page, which follows databases and not operations. */
export const notebooksGlanceQuery = queryOptions({
  queryKey: ['database', 'codex', 'glance'],
  queryFn: async ({ signal }) => {
    const [notebooks, metrics] = await Promise.all([
      codexApi.GET('/notebooks', { signal }),
      codexApi.GET('/events/metrics', { signal }),
    ]);
    const { pending, dead, notebooks: own } = metrics.data;
    const uncommitted = own.reduce((sum, each) => sum + each.git_pending, 0);
    return { notebooks: notebooks.data.data.slice(0, GLANCE), pending, dead, uncommitted };
  },
});
