import { queryOptions } from '@tanstack/react-query';

import { useStore } from '../lib/store.ts';
import { ringmasterApi } from './clients.ts';
import { isPaused } from './query-client.ts';
import { dataOf, given, liveQuery, readAll, readQuery, rowsOf } from './query-options.ts';
import type { BoardTask } from './types.ts';

/** The event stream of a workspace refreshes all queries whose key starts with `ringmaster, WORKSPACE`. */

const PAGE = 200;
const OPEN_MAX = 2_000;
const DONE_MAX = 200;
const ATTENTION_MAX = 20;

export const workspacesQuery = readQuery(['ringmaster', 'workspaces'], (signal) =>
  rowsOf(ringmasterApi.GET('/workspaces', { signal })),
);

export function statusQuery(workspace: string) {
  return liveQuery(['ringmaster', workspace, 'status'], (signal) =>
    dataOf(ringmasterApi.GET('/workspaces/{workspace}/status', { params: { workspace }, signal })),
  );
}

/** The programs that a run would start. */
export function programsQuery(workspace: string) {
  return liveQuery(['ringmaster', workspace, 'programs'], (signal) =>
    dataOf(ringmasterApi.GET('/workspaces/{workspace}/run', { params: { workspace }, signal })),
  );
}

export function attentionQuery(workspace: string) {
  const params = { workspace };
  return liveQuery(['ringmaster', workspace, 'attention'], async (signal) => {
    const tasks = (status: 'failed' | 'review') => {
      const query = { status, limit: ATTENTION_MAX };
      return rowsOf(ringmasterApi.GET('/workspaces/{workspace}/tasks', { params, query, signal }));
    };
    const [inquiries, failed, review, queue] = await Promise.all([
      rowsOf(ringmasterApi.GET('/workspaces/{workspace}/inquiries', { params, signal })),
      tasks('failed'),
      tasks('review'),
      rowsOf(ringmasterApi.GET('/workspaces/{workspace}/queue', { params, signal })),
    ]);
    return { inquiries, failed, review, running: queue.filter(({ assigned_at: since }) => since !== null) };
  });
}

const REVIEW_MAX = 200;

/** Tasks whose work waits for a review, highest ranked first. */
export function reviewQuery(workspace: string) {
  return liveQuery(['ringmaster', workspace, 'review'], (signal) =>
    rowsOf(
      ringmasterApi.GET('/workspaces/{workspace}/tasks', {
        params: { workspace },
        query: { status: 'review', limit: REVIEW_MAX },
        signal,
      }),
    ),
  );
}

interface BoardFilter {
  readonly project: string;
  readonly search: string;
}

/** Open tasks and done tasks, highest ranked first, up to a maximum of each. */
export function boardQuery(workspace: string, { project, search }: BoardFilter) {
  const params = { workspace };
  return queryOptions({
    ...liveQuery(['ringmaster', workspace, 'board', project, search], async (signal): Promise<readonly BoardTask[]> => {
      const read = (state: 'open' | 'done', most: number) =>
        readAll(most, (cursor) => {
          const query = { state, search, limit: PAGE, ...given({ project }), ...cursor };
          return ringmasterApi.GET('/workspaces/{workspace}/tasks', { params, query, signal });
        });
      return (await Promise.all([read('open', OPEN_MAX), read('done', DONE_MAX)])).flat();
    }),
    placeholderData: (previous) => previous,
  });
}

export function ringTaskQuery(workspace: string, id: string) {
  return liveQuery(['ringmaster', workspace, 'task', id], (signal) =>
    dataOf(ringmasterApi.GET('/workspaces/{workspace}/tasks/{task}', { params: { workspace, task: id }, signal })),
  );
}

/** `version` is part of the query key, so that the explanation is read again when the score changes. */
export function whyQuery(workspace: string, id: string, version: string | number) {
  return readQuery(['ringmaster-why', workspace, id, version], (signal) =>
    dataOf(ringmasterApi.GET('/workspaces/{workspace}/tasks/{task}/why', { params: { workspace, task: id }, signal })),
  );
}

export function promptQuery(workspace: string, id: string, iteration: number) {
  const input = { params: { workspace, task: id }, query: { iteration } };
  return readQuery(['ringmaster-prompt', workspace, id, iteration], (signal) =>
    dataOf(ringmasterApi.GET('/workspaces/{workspace}/tasks/{task}/prompt', { ...input, signal })),
  );
}

export function taskDiffQuery(workspace: string, id: string) {
  return readQuery(['ringmaster', workspace, 'diff', id], (signal) =>
    dataOf(ringmasterApi.GET('/workspaces/{workspace}/tasks/{task}/diff', { params: { workspace, task: id }, signal })),
  );
}

export function ringGraphQuery(workspace: string, project: string, isAll: boolean) {
  const input = { params: { workspace }, query: { all: isAll, ...given({ project }) } } as const;
  return liveQuery(['ringmaster', workspace, 'graph', project, isAll], (signal) =>
    dataOf(ringmasterApi.GET('/workspaces/{workspace}/graph', { ...input, signal })),
  );
}

export function projectSettingsQuery(workspace: string, id: string) {
  return liveQuery(['ringmaster', workspace, 'settings', id], (signal) =>
    dataOf(
      ringmasterApi.GET('/workspaces/{workspace}/projects/{project}', { params: { workspace, project: id }, signal }),
    ),
  );
}

export function queueQuery(workspace: string) {
  return liveQuery(['ringmaster', workspace, 'queue'], (signal) =>
    rowsOf(ringmasterApi.GET('/workspaces/{workspace}/queue', { params: { workspace }, signal })),
  );
}

export function workersQuery(workspace: string) {
  return liveQuery(['ringmaster', workspace, 'workers'], (signal) =>
    rowsOf(ringmasterApi.GET('/workspaces/{workspace}/workers', { params: { workspace }, signal })),
  );
}

/** The last lines of every running worker, in one response. */
export function outputQuery(workspace: string) {
  const input = { params: { workspace }, query: { lines: 2 } };
  return readQuery(['ringmaster', workspace, 'output'], (signal) =>
    rowsOf(ringmasterApi.GET('/workspaces/{workspace}/output', { ...input, signal })),
  );
}

export function metricsQuery(workspace: string) {
  return liveQuery(['ringmaster', workspace, 'metrics'], (signal) =>
    rowsOf(ringmasterApi.GET('/workspaces/{workspace}/metrics', { params: { workspace }, signal })),
  );
}

export function ringBackupsQuery(workspace: string) {
  return readQuery(['ringmaster', workspace, 'backups'], (signal) =>
    rowsOf(ringmasterApi.GET('/workspaces/{workspace}/backups', { params: { workspace }, signal })),
  );
}

const EVERY_MS = 3_000;

/** Polls, because a tab keeps only one stream open and there may be many workspaces. */
export function usePollInterval(): { readonly refetchInterval: number | false } {
  return { refetchInterval: useStore(isPaused) ? false : EVERY_MS };
}
