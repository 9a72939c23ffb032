import { createHash } from 'node:crypto';

import { type HandlerInput, httpErrors } from '@holdfast/http';

import { codexErrors } from '../model/errors.ts';
import type { FileEvent } from '../model/event.ts';
import type { FileMetadata } from '../model/operation.ts';
import type { Codex } from '../service/codex.ts';
import type { Idempotency, Publication, Published } from '../service/publish.ts';
import { expectedFile, type Request } from '../service/requests.ts';
import { fileById } from '../store/files.ts';
import { bytesTag, fileTag } from './views.ts';

export type Asking = Pick<HandlerInput<string, 'a:b'>, 'principal' | 'idempotencyKey' | 'request'> & {
  readonly body?: unknown;
};

interface PublishOptions {
  /** Whether the events have a batch of their own, even if there is only one. */
  readonly isBatch?: boolean;
  /** The bytes of a request that has no JSON body. */
  readonly bytes?: Uint8Array;
}

/** The queue works on; the hint says when it is worth trying again. */
const RETRY_AFTER_SECONDS = 2;

export async function publishAll(
  codex: Codex,
  input: Asking,
  notebookId: number,
  requests: Publication['requests'],
  { isBatch = false, bytes }: PublishOptions = {},
): Promise<Published> {
  const author = input.principal.name;
  try {
    return await codex.publish({ notebookId, author, requests, isBatch, idempotency: idempotencyOf(input, bytes) });
  } catch (error) {
    throw withRetryAfter(error);
  }
}

/** The request is made only when it was not sent before: what a repeated one refers to may be another by now. */
export async function publishOne(
  codex: Codex,
  input: Asking,
  notebookId: number,
  request: () => Request | Promise<Request>,
  options?: PublishOptions,
): Promise<FileEvent> {
  const [event] = (await publishAll(codex, input, notebookId, async () => [await request()], options)).events;
  if (event === undefined) throw codexErrors.EVENT_NOT_FOUND('The event is gone already');
  return event;
}

function idempotencyOf(input: Asking, bytes: Uint8Array | undefined): Idempotency | undefined {
  const { principal, idempotencyKey, request, body } = input;
  if (idempotencyKey === undefined) return undefined;
  const { pathname, searchParams } = new URL(request.url);
  // Whether and how long to wait is no part of what is asked for.
  for (const name of ['sync', 'timeout']) searchParams.delete(name);
  const sent = [request.method, pathname, searchParams.toString(), request.headers.get('if-match'), body];
  const hash = createHash('sha256').update(JSON.stringify(sent));
  if (bytes !== undefined) hash.update('\0').update(bytes);
  // Keys belong to whoever uses them: nobody is answered with another's event.
  return { key: `${principal.userId}:${idempotencyKey}`, requestHash: hash.digest('hex') };
}

function withRetryAfter(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'QUEUE_FULL') return error;
  return codexErrors.QUEUE_FULL(error.message, { details: { retry_after_seconds: RETRY_AFTER_SECONDS } });
}

export function bytesOf(content: string, encoding: 'utf8' | 'base64'): Uint8Array {
  if (encoding === 'utf8') return Buffer.from(content, 'utf8');
  const bytes = Buffer.from(content, 'base64');
  if (bytes.toString('base64').replace(/=+$/u, '') !== content.replace(/=+$/u, '')) {
    throw httpErrors.VALIDATION_FAILED('The content is not valid base64');
  }
  return bytes;
}

/** Only what is known to be about the file: a request cannot set any other column. */
export function metadataOf(body: {
  readonly title?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly properties?: Record<string, unknown> | undefined;
}): FileMetadata | undefined {
  const { title, description, properties } = body;
  if (title === undefined && description === undefined && properties === undefined) return undefined;
  return {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(properties === undefined ? {} : { properties }),
  };
}

/**
 * The version that a write was made for. It is checked now against what is known, and once more when the write has its
 * turn, by the content.
 */
export function baseHash(
  codex: Codex,
  { headers }: globalThis.Request,
  notebookId: number,
  fileId: string,
  given?: string,
): string | undefined {
  const header = headers.get('if-match');
  const tags = new Set(header?.split(',').map((tag) => tag.trim()));
  if (header === null || tags.has('*')) return given;
  const row = fileById(codex.store.reader, fileId);
  if (row !== undefined && (tags.has(fileTag(row)) || tags.has(bytesTag(row)))) return row.hash;
  const { path } = expectedFile(codex.store.reader, notebookId, { id: fileId });
  // One that is still to be created has no version yet that anybody could have seen.
  if (row === undefined) throw codexErrors.FILE_CHANGED(`${path} is not written yet`);
  throw codexErrors.FILE_CHANGED(`${path} has changed since it was read`, { details: { current_etag: fileTag(row) } });
}
