import { queryOptions } from '@tanstack/react-query';

import { codexApi } from './codex-client.ts';

/** What the pages read of codex. Everything below `codex` is kept current by the stream of its events. */

/** The stream says when it has changed; asking by the clock would only repeat what is known. */
const followed = { staleTime: Infinity } as const;

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

export function noteQuery(id: string, fileId: string) {
  return queryOptions({
    queryKey: ['codex', id, 'file', fileId],
    ...followed,
    queryFn: async ({ signal }) =>
      (await codexApi.GET('/notebooks/{id}/files/{file_id}', { params: { id, file_id: fileId }, signal })).data,
  });
}
