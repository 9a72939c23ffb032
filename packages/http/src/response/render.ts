import { httpErrors } from '../errors.ts';
import { isSchema, type ReplyExtras, type RouteContract } from '../routes/contract.ts';
import { isKnown } from './etag.ts';
import type { SecurityHeaders } from './security-headers.ts';

/** A complete answer that can be stored for an Idempotency-Key. */
export interface Rendered {
  readonly status: number;
  /** Headers in addition to the common ones. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Contains JSON, unless the headers name another content type. */
  readonly body: string | null;
  readonly cookies?: readonly string[] | undefined;
}

/** Creates the response with all headers at once, because the HTTP server is slower if headers change later. */
export function responseOf(rendered: Rendered, security: SecurityHeaders, requestId: string): Response {
  const { status, body, cookies } = rendered;
  const headers: Record<string, string> = body === null ? { ...security.data } : { ...security.json };
  headers['x-request-id'] = requestId;
  if (rendered.headers !== undefined) Object.assign(headers, rendered.headers);
  if (cookies === undefined || cookies.length === 0) return new Response(body, { status, headers });
  const withCookies = new Headers(headers);
  for (const cookie of cookies) withCookies.append('set-cookie', cookie);
  return new Response(body, { status, headers: withCookies });
}

/** Adds the common headers to a handler's own response; does not replace headers that the response already has. */
export function completed(response: Response, security: SecurityHeaders, requestId: string): Response {
  try {
    return withDefaults(response, security, requestId);
  } catch {
    // Responses from `fetch` and `Response.redirect` are immutable, so they are copied.
    return withDefaults(new Response(response.body, response), security, requestId);
  }
}

function withDefaults(response: Response, { data }: SecurityHeaders, requestId: string): Response {
  const { headers } = response;
  for (const [name, value] of Object.entries(data)) if (!headers.has(name)) headers.set(name, value);
  headers.set('x-request-id', requestId);
  return response;
}

type HandlerReply = ReplyExtras & { readonly status: number; readonly body?: unknown };

/**
 * Renders a handler's reply. The schema for the reply's status selects the fields of the body, so a field added to a
 * record does not leak.
 */
export function render(route: RouteContract, returned: HandlerReply, request: Request): Rendered {
  const { status, etag, cookies } = returned;
  const shape = route.responses[status];
  if (shape === undefined) throw undeclared(route, `status ${status}`);
  // Clients may cache tagged answers but must revalidate them.
  const headers =
    etag === undefined ? returned.headers : { 'cache-control': 'private, no-cache', ...returned.headers, etag };
  if (etag !== undefined && isRead(request) && isKnown(request.headers.get('if-none-match'), etag)) {
    return { status: 304, headers, body: null, cookies };
  }
  if (!isSchema(shape)) return { status, headers, body: null, cookies };
  const checked = shape.safeParse(returned.body);
  if (!checked.success) throw undeclared(route, 'a body that does not match its schema', checked.error);
  return { status, headers, body: JSON.stringify(checked.data), cookies };
}

function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}

function undeclared({ method, path }: RouteContract, what: string, cause?: unknown): Error {
  const bug = new Error(`The handler of ${method} ${path} returned ${what}`, { cause });
  return httpErrors.INTERNAL('The server failed to handle this request', { cause: bug });
}
