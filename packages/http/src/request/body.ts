import { isHoldfastError } from '@holdfast/base';
import type { z } from 'zod';

import { httpErrors } from '../errors.ts';

/** A request or response, as far as its body is concerned. */
type Sent = Pick<Request, 'headers' | 'body' | 'arrayBuffer'>;

/**
 * Reads a body up to a limit. Checks an announced length before reading; counts other bodies as they arrive. Node never
 * delivers more than was announced.
 */
export async function readText(request: Sent, limitBytes: number): Promise<string> {
  const announced = announcedBytes(request);
  if (announced !== undefined) refuseLarge(announced, limitBytes);
  const bytes =
    announced === undefined ? await countedBytes(request, limitBytes) : new Uint8Array(await request.arrayBuffer());
  // Checks again, because requests constructed by tests can announce a wrong length. Requests from a socket cannot.
  refuseLarge(bytes.byteLength, limitBytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw httpErrors.BODY_NOT_JSON('The body is not valid UTF-8', { cause });
  }
}

/** Returns the body as a stream that fails as soon as it exceeds the limit. */
export function limitedStream(request: Request, limitBytes: number): ReadableStream<Uint8Array> {
  const announced = announcedBytes(request);
  if (announced !== undefined) refuseLarge(announced, limitBytes);
  const { body } = request;
  if (body === null) return new Blob([]).stream();
  let received = 0;
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        received += chunk.byteLength;
        if (received > limitBytes) controller.error(tooLarge(limitBytes));
        else controller.enqueue(chunk);
      },
    }),
  );
}

export function announcedBytes(request: Sent): number | undefined {
  const length = request.headers.get('content-length');
  if (length !== null && /^\d{1,15}$/.test(length)) return Number(length);
  return undefined;
}

export function refuseLarge(bytes: number, limitBytes: number): void {
  if (bytes > limitBytes) throw tooLarge(limitBytes);
}

function tooLarge(limitBytes: number): Error {
  return httpErrors.BODY_TOO_LARGE(`The body is larger than ${limitBytes} bytes`, {
    details: { limit_bytes: limitBytes },
  });
}

async function countedBytes(request: Sent, limitBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let received = 0;
  for await (const chunk of request.body ?? []) {
    received += chunk.byteLength;
    refuseLarge(received, limitBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, received);
}

/** Matches text that may contain a key that changes an object's prototype, even one with JSON escapes. */
const SUSPECT = /__proto__|\\u005f|constructor/i;

/** Parses JSON. Rejects keys that reach prototypes, because schemas with free-form parts would let them pass. */
export function parseJson(text: string): unknown {
  try {
    return SUSPECT.test(text) ? JSON.parse(text, refusePrototypeKeys) : JSON.parse(text);
  } catch (cause) {
    if (isHoldfastError(cause)) throw cause;
    throw httpErrors.BODY_NOT_JSON('The body is not valid JSON', { cause });
  }
}

function refusePrototypeKeys(key: string, value: unknown): unknown {
  if (key === '__proto__') throw keyRefused('__proto__');
  if (key === 'constructor' && typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype')) {
    throw keyRefused('constructor.prototype');
  }
  return value;
}

function keyRefused(key: string): Error {
  const message = `The key ${key} is not allowed`;
  return httpErrors.VALIDATION_FAILED(message, { details: { errors: [{ in: 'body', path: key, message }] } });
}

const JSON_TYPE = /^application\/(?:json|[a-z0-9.+-]+\+json)$/;
const CHARSET = /charset\s*=\s*"?([^";\s]+)/i;

/**
 * Requires JSON. A form on another site can post text and form types without a preflight request, but not JSON. So this
 * check protects against such forms even if the origin check misses them.
 */
export function requireJson(contentType: string | null): void {
  const [type = '', ...parameters] = (contentType ?? '').split(';');
  const charset = CHARSET.exec(parameters.join(';'))?.[1]?.toLowerCase() ?? 'utf-8';
  if (!JSON_TYPE.test(type.trim().toLowerCase()) || charset !== 'utf-8') {
    throw httpErrors.CONTENT_TYPE_UNSUPPORTED('The body must be application/json in UTF-8');
  }
}

export function requireType(contentType: string | null, allowed: readonly string[]): string {
  const type = (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (allowed.includes(type)) return type;
  throw httpErrors.CONTENT_TYPE_UNSUPPORTED(`The body must be one of ${allowed.join(', ')}`);
}

/** Returns the value that replaces a missing body: undefined if the schema accepts it, else an empty object. */
export function emptyBody(schema: z.ZodType): Readonly<Record<string, never>> | undefined {
  return schema.safeParse(undefined).success ? undefined : {};
}

export function isBodyOptional(schema: z.ZodType): boolean {
  return schema.safeParse(emptyBody(schema)).success;
}
