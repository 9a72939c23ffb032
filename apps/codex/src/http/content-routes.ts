import { bytes, created, defineRoute, fileResponse } from '@holdfast/http';
import { z } from 'zod';

import { codexErrors } from '../model/errors.ts';
import type { FileRecord } from '../model/notebook.ts';
import { nameOf, notebookPath, type NotebookPath } from '../model/path.ts';
import { dispositionOf, servingOf } from '../model/serving.ts';
import type { Codex } from '../service/codex.ts';
import { fileOf, openContent, type OpenedFile } from '../service/read-files.ts';
import { notebookOf } from '../store/notebooks.ts';
import { fileBytesMax } from './limits.ts';
import { publishOne } from './publishing.ts';
import { afterErrors, queueErrors } from './route-errors.ts';
import { afterQuery, fileSchema, numberParameter, queuedSchema, waitQuery } from './schemas.ts';
import { bytesTag, fileTag, fileView } from './views.ts';
import { acceptedEvent, afterEvent, finished, queued, waitLimits } from './waiting.ts';

export function contentRoutes(codex: Codex) {
  const content = defineRoute({
    method: 'GET',
    path: '/notebooks/{id}/files/{file_id}/content',
    permission: 'app:codex:read',
    summary: 'The bytes of a file, or a range of them',
    request: { params: z.object({ id: numberParameter, file_id: z.string() }), query: z.object(afterQuery) },
    responses: { 200: bytes('application/octet-stream'), 206: bytes('application/octet-stream') },
    errors: [
      codexErrors.NOTEBOOK_NOT_FOUND,
      codexErrors.FILE_NOT_FOUND,
      codexErrors.PATH_LINK,
      codexErrors.NOTEBOOK_AWAY,
      ...afterErrors,
    ],
    acceptsHeaders: ['Range', 'If-Range', 'If-None-Match'],
    limits: waitLimits,
    handler: async ({ params: { id, file_id }, query, request, signal }) => {
      await afterEvent(codex, query.after_event, signal);
      const { reader } = codex.store;
      const row = fileOf(reader, id, file_id);
      return contentResponse(await openContent(notebookOf(reader, id), row.path), row, request);
    },
  });
  const upload = defineRoute({
    method: 'POST',
    path: '/notebooks/{id}/files/upload',
    permission: 'app:codex:write',
    summary: 'Create a file from the bytes of the request',
    request: {
      params: z.object({ id: numberParameter }),
      query: z.object({ ...waitQuery, path: z.string().min(1) }),
      upload: { types: ['application/octet-stream'], limitBytes: fileBytesMax(codex) },
    },
    responses: { 201: fileSchema, 202: queuedSchema },
    errors: [...queueErrors, codexErrors.FILE_EXISTS],
    acceptsHeaders: ['Prefer', 'Idempotency-Key'],
    limits: waitLimits,
    handler: async (input) => {
      const path = notebookPath(input.query.path);
      const sent = await collected(input.upload.stream);
      const request = { type: 'create', path, content: sent } as const;
      const event = await publishOne(codex, input, input.params.id, () => request, { bytes: sent });
      if ((await finished(codex, input, event)) === undefined) return acceptedEvent(event, queued(event));
      const row = fileOf(codex.store.reader, input.params.id, event.file_id ?? '');
      const place = `/api/codex/notebooks/${input.params.id}/files/${row.id}`;
      return created(fileView(codex.store.reader, row), place, { etag: fileTag(row) });
    },
  });
  return [content, upload] as const;
}

function contentResponse({ fd, size }: OpenedFile, row: FileRecord, request: Request): Response {
  const serving = servingOf(row.content_type);
  return fileResponse(request, {
    fd,
    size,
    etag: bytesTag(row),
    headers: {
      'content-type': serving.type,
      'content-disposition': dispositionOf(serving, nameOf(row.path as NotebookPath)),
      'content-security-policy': serving.policy,
      'x-content-type-options': 'nosniff',
    },
  });
}

export async function collected(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}
