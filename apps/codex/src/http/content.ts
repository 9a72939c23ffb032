import { bytes, created, defineRoute, fileResponse, ok, zodOf } from '@holdfast/http';
import type { Caller } from '@holdfast/operation';
import { z } from 'zod';

import { codexErrors } from '../model/errors.ts';
import type { FileRecord } from '../model/notebook.ts';
import { nameOf, type NotebookPath } from '../model/path.ts';
import { dispositionOf, servingOf } from '../model/file-types.ts';
import { settingsFrom } from '../model/settings.ts';
import { afterEventErrors, fileObject, queueErrors, READ, WRITE, writtenObject } from '../operations/fields.ts';
import { attach } from '../service/notes.ts';
import type { Codex } from '../service/codex.ts';
import { contentTag, uploadFile } from '../service/changes.ts';
import { fileFor, openContent, type OpenedFile } from '../service/files.ts';
import { readVersion } from '../service/history.ts';
import { notebookFor, writableNotebook } from '../service/notebooks.ts';
import { afterEvent } from '../service/submit.ts';
import { fileView } from '../service/views.ts';
import { createdOrQueued, fileBytesMax, fileUrl, replyOf, waitLimits, waitOf } from './writes.ts';

const notebook = z.string().min(1);
const file = z.string().min(1).max(4_096);
const octets = bytes('application/octet-stream');
const served = bytes('application/octet-stream', 'application/pdf', 'audio/*', 'image/*', 'text/plain', 'video/*');
const readErrors = [
  codexErrors.NOTEBOOK_NOT_FOUND,
  codexErrors.FILE_NOT_FOUND,
  codexErrors.NOTEBOOK_AWAY,
  codexErrors.PATH_LINK,
  codexErrors.PATH_INVALID,
] as const;

/** Content types that browsers send for pasted and dropped files. The actual type is detected from the bytes. */
const ATTACHMENT_TYPES = [
  'application/octet-stream',
  'application/pdf',
  'application/zip',
  'audio/flac',
  'audio/mp4',
  'audio/mpeg',
  'audio/ogg',
  'audio/wav',
  'image/avif',
  'image/bmp',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/svg+xml',
  'image/webp',
  'text/csv',
  'video/mp4',
  'video/quicktime',
  'video/webm',
] as const;

/** Routes with raw bytes: content, earlier versions, uploads and attachments. */
export function contentRoutes(codex: Codex) {
  const content = defineRoute({
    method: 'GET',
    path: '/notebooks/{notebook}/files/{file}/content',
    permission: READ,
    summary: 'Get the content of a file, or a byte range of it',
    request: {
      params: z.object({ notebook, file }),
      query: z.object({ after_event: z.coerce.number<string>().int().optional() }),
    },
    responses: { 200: served, 206: served },
    errors: [...readErrors, ...afterEventErrors],
    acceptsHeaders: ['Range', 'If-Range', 'If-None-Match'],
    limits: waitLimits,
    handler: async (input) => {
      const { params, query, request } = input;
      await afterEvent(codex, query.after_event, callerOf(input));
      const found = notebookFor(codex, params.notebook);
      const row = await fileFor(codex, found, params.file);
      return contentResponse(await openContent(found, row.path), row, request);
    },
  });
  const version = defineRoute({
    method: 'GET',
    path: '/notebooks/{notebook}/files/{file}/history/{commit}',
    permission: READ,
    summary: 'Get the content of a file at a commit',
    request: { params: z.object({ notebook, file, commit: z.string().min(1).max(64) }) },
    responses: { 200: octets },
    errors: [...readErrors, codexErrors.GIT_UNAVAILABLE],
    handler: async ({ params }) => {
      const found = await readVersion(codex, params.notebook, params.file, params.commit);
      const headers = { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment' };
      return new Response(Buffer.from(found), { headers });
    },
  });
  return [content, version, uploadRoute(codex), attachmentRoute(codex)] as const;
}

function uploadRoute(codex: Codex) {
  const reply = zodOf(writtenObject, 'reply') as z.ZodType<Awaited<ReturnType<typeof uploadFile>>>;
  return defineRoute({
    method: 'POST',
    path: '/notebooks/{notebook}/files/upload',
    permission: WRITE,
    summary: 'Create a file from the request body',
    request: {
      params: z.object({ notebook }),
      query: z.object({ path: z.string().min(1), wait: z.coerce.number<string>().min(0).max(300).optional() }),
      upload: { types: ['application/octet-stream'], limitBytes: fileBytesMax(codex) },
    },
    responses: { 201: reply, 202: reply },
    errors: [...queueErrors, codexErrors.FILE_EXISTS],
    acceptsHeaders: ['Prefer', 'Idempotency-Key'],
    limits: waitLimits,
    handler: async (request) => {
      const input = { ...request.params, ...request.query, ...waitOf(request.request) };
      const output = await uploadFile(codex, input, await collected(request.upload.stream), callerOf(request));
      return { ...replyOf(output, true), status: createdOrQueued(output), body: output };
    },
  });
}

function attachmentRoute(codex: Codex) {
  const reply = z.object({
    file: zodOf(fileObject, 'reply') as z.ZodType<ReturnType<typeof fileView>>,
    markdown: z.string().meta({ description: 'Link or image for the note' }),
  });
  return defineRoute({
    method: 'POST',
    path: '/notebooks/{notebook}/attachments',
    permission: WRITE,
    summary: 'Store the request body as an attachment; returns 201 if it is new, 200 if it was already stored',
    description: 'Accepts images, audio, video, PDF, office documents, archives and text.',
    request: {
      params: z.object({ notebook }),
      query: z.object({
        name: z.string().min(1).max(255).meta({ description: 'Original file name' }),
        note: z.string().min(1).optional().meta({ description: 'Path of the note it belongs to' }),
      }),
      upload: {
        types: ATTACHMENT_TYPES,
        limitBytes: (codex?.settings ?? settingsFrom({})).attachment_max_bytes,
      },
    },
    responses: { 200: reply, 201: reply },
    errors: [
      codexErrors.NOTEBOOK_NOT_FOUND,
      codexErrors.ATTACHMENT_TYPE,
      codexErrors.FILE_TOO_LARGE,
      codexErrors.PATH_INVALID,
      codexErrors.NOTEBOOK_AWAY,
      codexErrors.QUEUE_FULL,
    ],
    limits: waitLimits,
    handler: async ({ params, query, upload, principal }) => {
      const target = writableNotebook(codex, params.notebook);
      const content = await collected(upload.stream);
      const attached = await attach(codex, target, principal.name, { ...query, bytes: content });
      const body = { file: fileView(codex.store.reader, attached.file), markdown: attached.markdown };
      return attached.isNew ? created(body, fileUrl(body.file)) : ok(body);
    },
  });
}

interface RawRequest {
  readonly principal: { readonly name: string; readonly userId: string };
  readonly request: Request;
  readonly signal: AbortSignal;
  readonly idempotencyKey?: string | undefined;
}

function callerOf({ principal, request, signal, idempotencyKey }: RawRequest): Caller {
  const via = `${request.method} ${new URL(request.url).pathname}`;
  return { name: principal.name, userId: principal.userId, face: 'http', via, signal, idempotencyKey };
}

function contentResponse({ fd, size }: OpenedFile, row: FileRecord, request: Request): Response {
  const serving = servingOf(row.content_type);
  return fileResponse(request, {
    fd,
    size,
    etag: contentTag(row),
    headers: {
      'content-type': serving.type,
      'content-disposition': dispositionOf(serving, nameOf(row.path as NotebookPath)),
      'content-security-policy': serving.policy,
      'x-content-type-options': 'nosniff',
    },
  });
}

async function collected(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}
