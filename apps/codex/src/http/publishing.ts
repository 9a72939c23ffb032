import type { HandlerInput } from '@holdfast/http';
import { httpErrors } from '@holdfast/http';

import { codexErrors } from '../model/errors.ts';
import type { FileEvent } from '../model/event.ts';
import type { FileRecord } from '../model/notebook.ts';
import type { FileMetadata } from '../model/operation.ts';
import type { Engine } from '../service/engine.ts';
import type { Published } from '../service/publish.ts';
import type { Request } from '../service/requests.ts';
import { bytesTag, fileTag } from './views.ts';

type Asking = Pick<HandlerInput<string, 'a:b'>, 'principal' | 'idempotencyKey' | 'request'>;

/** The queue works on; the hint says when it is worth trying again. */
const RETRY_AFTER_SECONDS = 2;

export async function publishAll(
  engine: Engine,
  input: Asking,
  notebookId: number,
  requests: readonly Request[],
  isBatch = false,
): Promise<Published> {
  const { principal, idempotencyKey } = input;
  try {
    return await engine.publish({
      notebookId,
      author: principal.name,
      requests,
      isBatch,
      // Keys belong to whoever uses them: nobody is answered with another's event.
      idempotencyKey: idempotencyKey === undefined ? undefined : `${principal.userId}:${idempotencyKey}`,
    });
  } catch (error) {
    throw withRetryAfter(error);
  }
}

export async function publishOne(
  engine: Engine,
  input: Asking,
  notebookId: number,
  request: Request,
  isBatch = false,
): Promise<FileEvent> {
  const [event] = (await publishAll(engine, input, notebookId, [request], isBatch)).events;
  if (event === undefined) throw codexErrors.EVENT_NOT_FOUND('The event is gone already');
  return event;
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
export function baseHash(request: globalThis.Request, row: FileRecord | undefined, given?: string): string | undefined {
  const header = request.headers.get('if-match');
  if (header === null || row === undefined) return given;
  const tags = new Set(header.split(',').map((tag) => tag.trim()));
  if (tags.has('*')) return given;
  if (tags.has(fileTag(row)) || tags.has(bytesTag(row))) return row.hash;
  throw codexErrors.FILE_CHANGED(`${row.path} has changed since it was read`, {
    details: { current_etag: fileTag(row) },
  });
}
