import { readPage } from '@holdfast/base';
import { created, defineRoute, ok, pageQuery } from '@holdfast/http';
import { z } from 'zod';

import { codexErrors } from '../model/errors.ts';
import { notebookPath, type NotebookPath } from '../model/path.ts';
import type { Codex } from '../service/codex.ts';
import { knownPath } from '../service/paths.ts';
import { fileNamed, fileOf } from '../service/read-files.ts';
import { countFilesBelow, listFiles } from '../store/files.ts';
import { folderById } from '../store/folders.ts';
import { notebookOf } from '../store/notebooks.ts';
import { jsonBytesMax } from './limits.ts';
import { baseHash, bytesOf, metadataOf, publishOne } from './publishing.ts';
import { afterErrors, queueErrors } from './route-errors.ts';
import {
  afterQuery,
  fileChangeSchema,
  filePage,
  fileSchema,
  linksQuery,
  moveSchema,
  newFileSchema,
  propertyChangeSchema,
  numberParameter,
  queuedMoveSchema,
  queuedSchema,
  waitQuery,
} from './schemas.ts';
import { fileTag, fileView } from './views.ts';
import { acceptedEvent, afterEvent, finished, queued, waitLimits } from './waiting.ts';

const read = 'app:codex:read';
const write = 'app:codex:write';
const inNotebook = z.object({ id: numberParameter });
const ofFile = z.object({ id: numberParameter, file_id: z.string().min(1).max(64) });
const query = z.object(waitQuery);
const notFound = [codexErrors.NOTEBOOK_NOT_FOUND, codexErrors.FILE_NOT_FOUND];
const atTurn = 'With ?sync=true also what happens when the operation has its turn.';

export function fileRoutes(codex: Codex) {
  return [...readRoutes(codex), ...writeRoutes(codex), ...placeRoutes(codex)] as const;
}

function readRoutes(codex: Codex) {
  const list = defineRoute({
    method: 'GET',
    path: '/notebooks/{id}/files',
    permission: read,
    summary: 'Files of a notebook by path; of one folder, or the one at a path, when asked',
    request: {
      params: inNotebook,
      query: z.object({ ...pageQuery, ...afterQuery, folder: z.string().optional(), path: z.string().optional() }),
    },
    responses: { 200: filePage },
    errors: [codexErrors.NOTEBOOK_NOT_FOUND, codexErrors.PATH_INVALID, ...afterErrors],
    limits: waitLimits,
    handler: async ({ params: { id }, query: asked, signal }) => {
      await afterEvent(codex, asked.after_event, signal);
      const tx = codex.store.reader;
      notebookOf(tx, id);
      if (asked.path !== undefined) {
        const row = fileNamed(tx, id, knownPath(tx, id, asked.path));
        return ok({ data: [fileView(tx, row)], next_cursor: null });
      }
      const folder = asked.folder === undefined || asked.folder === '' ? undefined : knownPath(tx, id, asked.folder);
      const page = await readPage(
        asked.limit,
        (limit) => listFiles(tx, id, { folder, after: asked.cursor, limit }),
        (last) => last.path,
      );
      return ok({ ...page, data: page.data.map((row) => fileView(tx, row)) });
    },
  });
  const show = defineRoute({
    method: 'GET',
    path: '/notebooks/{id}/files/{file_id}',
    permission: read,
    summary: 'What is known about a file',
    request: { params: ofFile, query: z.object(afterQuery) },
    responses: { 200: fileSchema },
    errors: [...notFound, ...afterErrors],
    acceptsHeaders: ['If-None-Match'],
    limits: waitLimits,
    handler: async ({ params: { id, file_id }, query: asked, signal }) => {
      await afterEvent(codex, asked.after_event, signal);
      const row = fileOf(codex.store.reader, id, file_id);
      return ok(fileView(codex.store.reader, row), { etag: fileTag(row) });
    },
  });
  return [list, show] as const;
}

function writeRoutes(codex: Codex) {
  const create = defineRoute({
    method: 'POST',
    path: '/notebooks/{id}/files',
    permission: write,
    summary: 'Create a file: 202 when it is queued, 201 with the file when it is waited for',
    description: `Takes an Idempotency-Key. ${atTurn}`,
    request: { params: inNotebook, query, body: newFileSchema },
    responses: { 201: fileSchema, 202: queuedSchema },
    errors: [...queueErrors, codexErrors.FILE_EXISTS, codexErrors.NAME_COLLIDES],
    acceptsHeaders: ['Prefer', 'Idempotency-Key'],
    limits: { ...waitLimits, bodyBytes: jsonBytesMax(codex) },
    handler: async (input) => {
      const { path, content, encoding } = input.body;
      const request = {
        type: 'create',
        path: notebookPath(path),
        content: bytesOf(content, encoding),
        metadata: metadataOf(input.body),
      } as const;
      const event = await publishOne(codex, input, input.params.id, () => request);
      const done = await finished(codex, input, event);
      if (done === undefined) return acceptedEvent(event, queued(event));
      const row = fileOf(codex.store.reader, input.params.id, event.file_id ?? '');
      const place = `/api/codex/notebooks/${input.params.id}/files/${row.id}`;
      return created(fileView(codex.store.reader, row), place, { etag: fileTag(row) });
    },
  });
  const update = defineRoute({
    method: 'PUT',
    path: '/notebooks/{id}/files/{file_id}',
    permission: write,
    summary: 'Change the content of a file or what is said about it',
    description: `If-Match or base_hash protect from overwriting what was not seen. ${atTurn}`,
    request: { params: ofFile, query, body: fileChangeSchema },
    responses: { 200: fileSchema, 202: queuedSchema },
    errors: [...queueErrors, codexErrors.FILE_CHANGED, codexErrors.PROPERTIES_INVALID],
    acceptsHeaders: ['If-Match', 'Prefer', 'Idempotency-Key'],
    limits: { ...waitLimits, bodyBytes: jsonBytesMax(codex) },
    handler: async (input) => {
      const { id, file_id } = input.params;
      const { content, encoding, base_hash } = input.body;
      const event = await publishOne(codex, input, id, () => ({
        type: 'update',
        file: { id: file_id },
        content: content === undefined ? undefined : bytesOf(content, encoding),
        metadata: metadataOf(input.body),
        base_hash: baseHash(codex, input.request, id, file_id, base_hash),
      }));
      if ((await finished(codex, input, event)) === undefined) return acceptedEvent(event, queued(event));
      const row = fileOf(codex.store.reader, id, file_id);
      return ok(fileView(codex.store.reader, row), { etag: fileTag(row) });
    },
  });
  return [create, update, propertiesRoute(codex)] as const;
}

function propertiesRoute(codex: Codex) {
  return defineRoute({
    method: 'PATCH',
    path: '/notebooks/{id}/files/{file_id}/properties',
    permission: write,
    summary: 'Change single properties, in the file itself or in the one beside it, and nothing else of it',
    description: `Markdown holds its properties between two lines of --- at its beginning; for photo.png they are in .photo.png.yaml. ${atTurn}`,
    request: { params: ofFile, query, body: propertyChangeSchema },
    responses: { 200: fileSchema, 202: queuedSchema },
    errors: [...queueErrors, codexErrors.FILE_CHANGED, codexErrors.PROPERTIES_INVALID],
    acceptsHeaders: ['If-Match', 'Prefer', 'Idempotency-Key'],
    limits: waitLimits,
    handler: async (input) => {
      const { id, file_id } = input.params;
      const { set, unset, base_hash } = input.body;
      const { reader } = codex.store;
      const event = await publishOne(codex, input, id, () => ({
        type: 'update',
        file: { id: file_id },
        metadata: { ...(set === undefined ? {} : { set }), ...(unset === undefined ? {} : { unset }) },
        base_hash: baseHash(codex, input.request, id, file_id, base_hash),
      }));
      if ((await finished(codex, input, event)) === undefined) return acceptedEvent(event, queued(event));
      const row = fileOf(reader, id, file_id);
      return ok(fileView(reader, row), { etag: fileTag(row) });
    },
  });
}

function placeRoutes(codex: Codex) {
  const move = defineRoute({
    method: 'PATCH',
    path: '/notebooks/{id}/files/{file_id}/move',
    permission: write,
    summary: 'Move or rename a file, or a folder with everything in it',
    description: `Links in other notes follow. A folder answers with how many files go along. Nothing is ever overwritten. ${atTurn}`,
    request: { params: ofFile, query: z.object({ ...waitQuery, ...linksQuery }), body: moveSchema },
    responses: { 200: queuedMoveSchema, 202: queuedMoveSchema },
    errors: [
      ...queueErrors,
      codexErrors.FILE_EXISTS,
      codexErrors.NAME_COLLIDES,
      codexErrors.MOVE_INTO_ITSELF,
      codexErrors.FILE_CHANGED,
    ],
    acceptsHeaders: ['If-Match', 'Prefer', 'Idempotency-Key'],
    limits: waitLimits,
    handler: async (input) => {
      const { id, file_id } = input.params;
      const { reader } = codex.store;
      const dest_path = notebookPath(input.body.new_path ?? input.body.dest_path ?? '');
      const { links } = input.query;
      const folder = folderById(reader, file_id);
      if (folder?.notebook_id === id) {
        const request = { type: 'move_folder', path: folder.path as NotebookPath, dest_path, links } as const;
        const event = await publishOne(codex, input, id, () => request, { isBatch: true });
        const done = await finished(codex, input, event);
        const count = countFilesBelow(reader, id, done === undefined ? folder.path : dest_path);
        const body = { ...queued(done ?? event), correlation_id: event.correlation_id ?? '', file_count: count };
        return done === undefined ? acceptedEvent(event, body) : ok(body);
      }
      const event = await publishOne(codex, input, id, () => ({
        type: 'move',
        file: { id: file_id },
        dest_path,
        base_hash: baseHash(codex, input.request, id, file_id, input.body.base_hash),
        links,
      }));
      const done = await finished(codex, input, event);
      return done === undefined ? acceptedEvent(event, queued(event)) : ok(queued(done));
    },
  });
  const remove = defineRoute({
    method: 'DELETE',
    path: '/notebooks/{id}/files/{file_id}',
    permission: write,
    summary: 'Move a file to the trash, from where it can be brought back',
    description: atTurn,
    request: { params: ofFile, query },
    responses: { 200: queuedSchema, 202: queuedSchema },
    errors: [...queueErrors, codexErrors.FILE_CHANGED],
    acceptsHeaders: ['If-Match', 'Prefer', 'Idempotency-Key'],
    limits: waitLimits,
    handler: async (input) => {
      const { id, file_id } = input.params;
      const event = await publishOne(codex, input, id, () => ({
        type: 'delete',
        file: { id: file_id },
        base_hash: baseHash(codex, input.request, id, file_id),
      }));
      const done = await finished(codex, input, event);
      return done === undefined ? acceptedEvent(event, queued(event)) : ok(queued(done));
    },
  });
  return [move, remove] as const;
}
