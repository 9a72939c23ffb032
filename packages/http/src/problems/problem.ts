import { type ErrorKind, type HoldfastError, isHoldfastError, SECOND } from '@holdfast/base';
import { z } from 'zod';

import { httpErrors } from '../errors.ts';

/** RFC 9457 problem details with code, hint and request id. Also the error schema in OpenAPI. */
export const Problem = z
  .object({
    type: z.string().meta({ description: 'URL that explains the code: /errors#CODE' }),
    title: z.string(),
    status: z.number().int(),
    detail: z.string(),
    code: z.string().meta({ description: 'Stable code for programs' }),
    hint: z.string().meta({ description: 'What to do' }),
    request_id: z.string(),
    errors: z
      .array(z.object({ in: z.string(), path: z.string(), code: z.string(), message: z.string() }))
      .optional()
      .meta({ description: 'Each invalid field, as a JSON pointer into the named part of the request' }),
    details: z.record(z.string(), z.unknown()).optional().meta({ description: 'Data for programs' }),
  })
  .meta({ id: 'Problem', description: 'RFC 9457 problem details' });
export type Problem = z.infer<typeof Problem>;

export const PROBLEM_TYPE = 'application/problem+json';

/** Maps a thrown value to an error for the client. Unexpected errors reveal no details. */
export function expectedError(thrown: unknown): HoldfastError {
  if (isHoldfastError(thrown)) return thrown;
  return httpErrors.INTERNAL('The server failed to handle this request', { cause: thrown });
}

export function problemOf(error: HoldfastError, requestId: string, statuses?: Statuses): Problem {
  const { errors, ...details } = error.details ?? {};
  return {
    type: `/errors#${error.code}`,
    title: titleOf(error.code),
    status: statusOf(error.code, error.kind, statuses),
    detail: error.message,
    code: error.code,
    hint: error.hint,
    request_id: requestId,
    ...(Array.isArray(errors) && { errors: errors as Problem['errors'] }),
    ...(Object.keys(details).length > 0 && { details }),
  };
}

/**
 * Returns the body as text. Escapes messages, which may quote the client's input, so that they are harmless even if a
 * browser reads them as HTML.
 */
export function problemText(problem: Problem): string {
  return JSON.stringify(problem).replace(/[<>&]/g, (character) => escapes[character] ?? '');
}

const escapes: Readonly<Record<string, string>> = { '<': '\\u003c', '>': '\\u003e', '&': '\\u0026' };

/** Returns the headers that a status requires. */
export function problemHeaders(problem: Problem): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': PROBLEM_TYPE, 'cache-control': 'no-store' };
  if (problem.status === 401) headers['www-authenticate'] = 'Bearer realm="holdfast"';
  if (problem.status === 503 || problem.status === 429) headers['retry-after'] = retryAfter(problem);
  const allow = problem.details?.['allow'];
  if (problem.status === 405 && typeof allow === 'string') headers['allow'] = allow;
  const size = problem.details?.['size'];
  if (problem.status === 416 && typeof size === 'number') headers['content-range'] = `bytes */${size}`;
  return headers;
}

const RETRY_AFTER_SECONDS = 2;

function retryAfter({ details }: Problem): string {
  const [seconds, milliseconds] = [details?.['retry_after_seconds'], details?.['retry_after_ms']];
  const wait = typeof milliseconds === 'number' ? milliseconds / SECOND : seconds;
  return String(typeof wait === 'number' && wait > 0 ? Math.ceil(wait) : RETRY_AFTER_SECONDS);
}

/** `PLAN_NOT_FOUND` → `Plan not found`: RFC 9457 requires the same title for every occurrence. */
function titleOf(code: string): string {
  const words = code.toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** HTTP status by kind of error; `statusByCode` overrides it. */
const statusByKind: Readonly<Record<ErrorKind, number>> = {
  failed: 500,
  usage: 400,
  not_found: 404,
  conflict: 409,
  unavailable: 503,
};

/**
 * Error codes whose status differs from the default of their kind. Applications add rows for their services, so that
 * services need not know HTTP statuses: `{ LOGIN_THROTTLED: 429 }`.
 */
const statusByCode: Statuses = {
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  CROSS_ORIGIN_REFUSED: 403,
  PROXY_HEADER_REFUSED: 403,
  METHOD_NOT_ALLOWED: 405,
  BODY_TOO_SLOW: 408,
  PRECONDITION_FAILED: 412,
  BODY_TOO_LARGE: 413,
  CONTENT_TYPE_UNSUPPORTED: 415,
  RANGE_NOT_SATISFIABLE: 416,
  HOST_NOT_ALLOWED: 421,
  VALIDATION_FAILED: 422,
  PRECONDITION_REQUIRED: 428,
};

export type Statuses = Readonly<Record<string, number>>;

export function statusOf(code: string, kind: ErrorKind, overrides: Statuses = {}): number {
  return overrides[code] ?? statusByCode[code] ?? statusByKind[kind];
}
