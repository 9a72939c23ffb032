import { readPage } from '@holdfast/base';
import { defineRoute, ok, pageQuery } from '@holdfast/http';
import { z } from 'zod';

import { codexErrors } from '../model/errors.ts';
import type { FileEvent } from '../model/event.ts';
import { notebookPath, type NotebookPath } from '../model/path.ts';
import type { Codex } from '../service/codex.ts';
import { knownPath } from '../service/paths.ts';
import type { Request } from '../service/requests.ts';
import { countFilesBelow } from '../store/files.ts';
import { listFolders } from '../store/folders.ts';
import { notebookOf } from '../store/notebooks.ts';
import { type Asking, publishOne } from './publishing.ts';
import { afterErrors, queueErrors } from './route-errors.ts';
import {
  afterQuery,
  folderMoveSchema,
  folderPage,
  linksQuery,
  numberParameter,
  queuedFolderSchema,
  queuedSchema,
  waitQuery,
} from './schemas.ts';
import { acceptedEvent, afterEvent, type Asked, finished, queued, waitLimits } from './waiting.ts';

const params = z.object({ id: numberParameter });
const query = z.object(waitQuery);
const write = 'app:codex:write';
export function folderRoutes(codex: Codex) {
  const list = defineRoute({
    method: 'GET',
    path: '/notebooks/{id}/folders',
    permission: 'app:codex:read',
    summary: 'Folders of a notebook by path, empty ones too',
    request: { params, query: z.object({ ...pageQuery, ...afterQuery }) },
    responses: { 200: folderPage },
    errors: [codexErrors.NOTEBOOK_NOT_FOUND, ...afterErrors],
    limits: waitLimits,
    handler: async ({ params: { id }, query: { cursor, limit, after_event }, signal }) => {
      await afterEvent(codex, after_event, signal);
      const { reader } = codex.store;
      notebookOf(reader, id);
      const page = await readPage(
        limit,
        (count) => listFolders(reader, id, cursor ?? '', count),
        (last) => last.path,
      );
      return ok({
        ...page,
        data: page.data.map(({ id: folder, path, created_at }) => ({ id: folder, path, created_at })),
      });
    },
  });
  const create = defineRoute({
    method: 'POST',
    path: '/notebooks/{id}/folders',
    permission: write,
    summary: 'Make a folder and those above it',
    request: { params, query, body: z.strictObject({ path: z.string().min(1) }) },
    responses: { 200: queuedSchema, 202: queuedSchema },
    errors: [...queueErrors, codexErrors.FILE_EXISTS, codexErrors.NAME_COLLIDES],
    acceptsHeaders: ['Prefer', 'Idempotency-Key'],
    limits: waitLimits,
    handler: async (input) => {
      const request = { type: 'create_folder', path: notebookPath(input.body.path) } as const;
      const event = await publishOne(codex, input, input.params.id, () => request);
      const done = await finished(codex, input, event);
      return done === undefined ? acceptedEvent(event, queued(event)) : ok(queued(done));
    },
  });
  return [list, create, ...treeRoutes(codex)] as const;
}

function treeRoutes(codex: Codex) {
  const move = defineRoute({
    method: 'PATCH',
    path: '/notebooks/{id}/folders/move',
    permission: write,
    summary: 'Move a folder with everything in it, in one step',
    request: { params, query: z.object({ ...waitQuery, ...linksQuery }), body: folderMoveSchema },
    responses: { 200: queuedFolderSchema, 202: queuedFolderSchema },
    errors: [...queueErrors, codexErrors.FILE_EXISTS, codexErrors.MOVE_INTO_ITSELF],
    acceptsHeaders: ['Prefer', 'Idempotency-Key'],
    limits: waitLimits,
    handler: async (input) => {
      const dest_path = notebookPath(input.body.new_path);
      const { links } = input.query;
      const request = (path: NotebookPath): Request => ({ type: 'move_folder', path, dest_path, links });
      const { event, isDone, body } = await publishFolder(codex, input, input.body.path, request);
      return isDone ? ok(body) : acceptedEvent(event, body);
    },
  });
  const remove = defineRoute({
    method: 'DELETE',
    path: '/notebooks/{id}/folders',
    permission: write,
    summary: 'Move a folder with everything in it to the trash, in one step',
    request: { params, query: z.object({ ...waitQuery, path: z.string().min(1) }) },
    responses: { 200: queuedFolderSchema, 202: queuedFolderSchema },
    errors: queueErrors,
    acceptsHeaders: ['Prefer', 'Idempotency-Key'],
    limits: waitLimits,
    handler: async (input) => {
      const { event, isDone, body } = await publishFolder(codex, input, input.query.path, (path) => {
        return { type: 'delete_folder', path };
      });
      return isDone ? ok(body) : acceptedEvent(event, body);
    },
  });
  return [move, remove] as const;
}

interface PublishedFolder {
  readonly event: FileEvent;
  readonly isDone: boolean;
  readonly body: z.input<typeof queuedFolderSchema>;
}

/** How many files go along is counted before they do. */
async function publishFolder(
  codex: Codex,
  input: Asking & Asked & { readonly params: { readonly id: number } },
  asked: string,
  request: (path: NotebookPath) => Request,
): Promise<PublishedFolder> {
  const { reader } = codex.store;
  const { id } = input.params;
  let count: number | undefined;
  const make = (): Request => {
    const path = knownPath(reader, id, asked);
    count = countFilesBelow(reader, id, path);
    return request(path);
  };
  const event = await publishOne(codex, input, id, make, { isBatch: true });
  count ??= countFilesBelow(reader, id, event.path ?? '');
  const done = await finished(codex, input, event);
  return { event, isDone: done !== undefined, body: withCount(done ?? event, count) };
}

/** Once it is done, the number is what really went along. */
function withCount(event: FileEvent, expected: number): z.input<typeof queuedFolderSchema> {
  const { file_id: _none, ...body } = queued(event);
  const result = event.result === null ? undefined : (JSON.parse(event.result) as { file_count?: number });
  return { ...body, correlation_id: event.correlation_id ?? '', file_count: result?.file_count ?? expected };
}
