import { queryOptions } from '@tanstack/react-query';

import { followed } from './query-options.ts';
import { type BoardTask, ringmasterApi } from './ringmaster-client.ts';

/** What the pages read of ringmaster. Everything below `ringmaster, PLACE` is kept current by the stream of that place. */

const PAGE = 200;
const OPEN_MAX = 2_000;
const DONE_MAX = 200;
const SOME = 20;

export const placesQuery = queryOptions({
  queryKey: ['ringmaster', 'places'],
  queryFn: async ({ signal }) => (await ringmasterApi.GET('/workspaces', { signal })).data.data,
});

export function statusQuery(place: string) {
  return queryOptions({
    queryKey: ['ringmaster', place, 'status'],
    ...followed,
    queryFn: async ({ signal }) => (await ringmasterApi.GET('/workspaces/{workspace}/status', at(place, signal))).data,
  });
}

/** What waits for a person, and what goes on. */
export function attentionQuery(place: string) {
  return queryOptions({
    queryKey: ['ringmaster', place, 'attention'],
    ...followed,
    queryFn: async ({ signal }) => {
      const params = { workspace: place };
      const tasks = async (status: 'failed' | 'review') => {
        const query = { status, limit: SOME } as const;
        return (await ringmasterApi.GET('/workspaces/{workspace}/tasks', { params, query, signal })).data.data;
      };
      const [inquiries, failed, review, queue] = await Promise.all([
        ringmasterApi.GET('/workspaces/{workspace}/inquiries', at(place, signal)),
        tasks('failed'),
        tasks('review'),
        ringmasterApi.GET('/workspaces/{workspace}/queue', at(place, signal)),
      ]);
      const running = queue.data.data.filter(({ assigned_at: since }) => since !== null);
      return { inquiries: inquiries.data.data, failed, review, running };
    },
  });
}

export interface BoardFilter {
  readonly project: string;
  readonly search: string;
}

/** All that is open, up to more than anybody looks through, and the best of what is done. */
export function boardQuery(place: string, { project, search }: BoardFilter) {
  return queryOptions({
    queryKey: ['ringmaster', place, 'board', project, search],
    ...followed,
    queryFn: async ({ signal }): Promise<readonly BoardTask[]> => {
      const read = async (state: 'open' | 'done', atMost: number): Promise<readonly BoardTask[]> => {
        const tasks: BoardTask[] = [];
        let cursor: string | undefined;
        do {
          const only = project === '' ? {} : { project };
          const query = { state, search, limit: PAGE, ...only, ...(cursor === undefined ? {} : { cursor }) };
          const { data } = await ringmasterApi.GET('/workspaces/{workspace}/tasks', {
            params: { workspace: place },
            query,
            signal,
          });
          tasks.push(...data.data);
          cursor = data.next_cursor ?? undefined;
        } while (cursor !== undefined && tasks.length < atMost);
        return tasks;
      };
      return (await Promise.all([read('open', OPEN_MAX), read('done', DONE_MAX)])).flat();
    },
    placeholderData: (previous) => previous,
  });
}

export function ringTaskQuery(place: string, id: string) {
  return queryOptions({
    queryKey: ['ringmaster', place, 'task', id],
    ...followed,
    queryFn: async ({ signal }) =>
      (await ringmasterApi.GET('/workspaces/{workspace}/tasks/{id}', { params: { workspace: place, id }, signal }))
        .data,
  });
}

/** Keyed by what it explains: as long as the score is the same, so are its reasons. */
export function whyQuery(place: string, id: string, version: string | number) {
  return queryOptions({
    queryKey: ['ringmaster-why', place, id, version],
    queryFn: async ({ signal }) =>
      (await ringmasterApi.GET('/workspaces/{workspace}/tasks/{id}/why', { params: { workspace: place, id }, signal }))
        .data,
  });
}

export function promptQuery(place: string, id: string, iteration: number) {
  return queryOptions({
    queryKey: ['ringmaster-prompt', place, id, iteration],
    queryFn: async ({ signal }) => {
      const query = { iteration };
      return (
        await ringmasterApi.GET('/workspaces/{workspace}/tasks/{id}/prompt', {
          params: { workspace: place, id },
          query,
          signal,
        })
      ).data;
    },
  });
}

export function taskDiffQuery(place: string, id: string) {
  return queryOptions({
    queryKey: ['ringmaster', place, 'diff', id],
    queryFn: async ({ signal }) =>
      (await ringmasterApi.GET('/workspaces/{workspace}/tasks/{id}/diff', { params: { workspace: place, id }, signal }))
        .data,
  });
}

export function ringGraphQuery(place: string, project: string, all: boolean) {
  return queryOptions({
    queryKey: ['ringmaster', place, 'graph', project, all],
    ...followed,
    queryFn: async ({ signal }) => {
      const query = { all: all ? 'true' : 'false', ...(project === '' ? {} : { project }) };
      return (await ringmasterApi.GET('/workspaces/{workspace}/graph', { params: { workspace: place }, query, signal }))
        .data;
    },
  });
}

export function projectSettingsQuery(place: string, id: string) {
  return queryOptions({
    queryKey: ['ringmaster', place, 'settings', id],
    ...followed,
    queryFn: async ({ signal }) =>
      (
        await ringmasterApi.GET('/workspaces/{workspace}/projects/{id}/settings', {
          params: { workspace: place, id },
          signal,
        })
      ).data,
  });
}

export function queueQuery(place: string) {
  return queryOptions({
    queryKey: ['ringmaster', place, 'queue'],
    ...followed,
    queryFn: async ({ signal }) =>
      (await ringmasterApi.GET('/workspaces/{workspace}/queue', at(place, signal))).data.data,
  });
}

export function workersQuery(place: string) {
  return queryOptions({
    queryKey: ['ringmaster', place, 'workers'],
    ...followed,
    queryFn: async ({ signal }) =>
      (await ringmasterApi.GET('/workspaces/{workspace}/workers', at(place, signal))).data.data,
  });
}

/** The last lines of every running worker: one answer, however many there are. */
export function outputQuery(place: string) {
  return queryOptions({
    queryKey: ['ringmaster', place, 'output'],
    queryFn: async ({ signal }) =>
      (await ringmasterApi.GET('/workspaces/{workspace}/output', { ...at(place, signal), query: { lines: '2' } })).data
        .data,
  });
}

export function figuresQuery(place: string) {
  return queryOptions({
    queryKey: ['ringmaster', place, 'figures'],
    ...followed,
    queryFn: async ({ signal }) =>
      (await ringmasterApi.GET('/workspaces/{workspace}/metrics', at(place, signal))).data.data,
  });
}

export function ringBackupsQuery(place: string) {
  return queryOptions({
    queryKey: ['ringmaster', place, 'backups'],
    queryFn: async ({ signal }) =>
      (await ringmasterApi.GET('/workspaces/{workspace}/backups', at(place, signal))).data.data,
  });
}

function at(
  place: string,
  signal: AbortSignal,
): { readonly params: { readonly workspace: string }; signal: AbortSignal } {
  return { params: { workspace: place }, signal };
}
