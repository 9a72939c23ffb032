import { readPage } from '@holdfast/base';
import { bytes, defineRoute, ok, pageQuery } from '@holdfast/http';
import { z } from 'zod';

import { fileDiff, fileHistory, fileVersion } from '../git/history.ts';
import { codexErrors } from '../model/errors.ts';
import type { NotebookPath } from '../model/path.ts';
import type { Codex } from '../service/codex.ts';
import { fileOf } from '../service/read-files.ts';
import { restoreRequest } from '../service/restore-file.ts';
import { publishOne } from './publishing.ts';
import { queueErrors } from './route-errors.ts';
import { fileSchema, historySchema, numberParameter, queuedSchema, waitQuery } from './schemas.ts';
import { fileTag, fileView } from './views.ts';
import { acceptedEvent, finished, queued, waitLimits } from './waiting.ts';

const read = 'app:codex:read';
const params = z.object({ id: numberParameter, file_id: z.string() });
const commitName = z.string().regex(/^([0-9a-f]{4,64}|HEAD(~\d{1,6})?)$/iu);
const errors = [
  codexErrors.NOTEBOOK_NOT_FOUND,
  codexErrors.NOTEBOOK_AWAY,
  codexErrors.FILE_NOT_FOUND,
  codexErrors.GIT_UNAVAILABLE,
];

/** The past of single files, through their renames. */
export function historyRoutes(codex: Codex) {
  const history = defineRoute({
    method: 'GET',
    path: '/notebooks/{id}/files/{file_id}/history',
    permission: read,
    summary: 'The commits that changed a file, the newest first',
    request: { params, query: z.object({ ...pageQuery, cursor: commitName.optional() }) },
    responses: { 200: historySchema },
    errors,
    handler: async ({ params: { id, file_id }, query: { limit, cursor } }) => {
      const path = pathOf(codex, id, file_id);
      const repository = await codex.git.repository(id);
      const page = await readPage(
        limit,
        (count) => fileHistory(repository, path, { limit: count, before: cursor }),
        (last) => last.sha,
      );
      return ok(page);
    },
  });
  const version = defineRoute({
    method: 'GET',
    path: '/notebooks/{id}/files/{file_id}/history/{commit}',
    permission: read,
    summary: 'The bytes of a file as it was at a commit',
    request: { params: params.extend({ commit: commitName }) },
    responses: { 200: bytes('application/octet-stream') },
    errors,
    handler: async ({ params: { id, file_id, commit } }) => {
      const found = await fileVersion(await codex.git.repository(id), pathOf(codex, id, file_id), commit);
      const headers = { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment' };
      return new Response(Buffer.from(found.content), { headers });
    },
  });
  const diff = defineRoute({
    method: 'GET',
    path: '/notebooks/{id}/files/{file_id}/diff',
    permission: read,
    summary: 'What a commit changed in a file, or the difference between two commits',
    request: { params, query: z.object({ to: commitName.default('HEAD'), from: commitName.optional() }) },
    responses: { 200: bytes('text/plain') },
    errors,
    handler: async ({ params: { id, file_id }, query: { to, from } }) => {
      const text = await fileDiff(await codex.git.repository(id), pathOf(codex, id, file_id), to, from);
      return new Response(text, { headers: { 'content-type': 'text/plain; charset=utf-8' } });
    },
  });
  return [history, version, diff, restoreRoute(codex)] as const;
}

function pathOf(codex: Codex, notebookId: number, fileId: string): NotebookPath {
  return fileOf(codex.store.reader, notebookId, fileId).path as NotebookPath;
}

function restoreRoute(codex: Codex) {
  return defineRoute({
    method: 'POST',
    path: '/notebooks/{id}/files/{file_id}/restore',
    permission: 'app:codex:write',
    summary: 'Make a file as it was at a commit, as a new change',
    request: { params, query: z.object(waitQuery), body: z.strictObject({ commit: commitName }) },
    responses: { 200: fileSchema, 202: queuedSchema },
    errors: [...queueErrors, codexErrors.GIT_UNAVAILABLE],
    acceptsHeaders: ['Prefer', 'Idempotency-Key'],
    limits: waitLimits,
    handler: async (input) => {
      const { id, file_id } = input.params;
      const event = await publishOne(codex, input, id, () =>
        restoreRequest(codex, id, pathOf(codex, id, file_id), input.body.commit),
      );
      if ((await finished(codex, input, event)) === undefined) return acceptedEvent(event, queued(event));
      const row = fileOf(codex.store.reader, id, file_id);
      return ok(fileView(codex.store.reader, row), { etag: fileTag(row) });
    },
  });
}
