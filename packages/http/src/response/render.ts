import { httpErrors } from '../errors.ts';
import type { ReplyExtras, RouteContract } from '../routes/contract.ts';
import { isSchema } from '../routes/shapes.ts';
import { isKnown } from './etag.ts';
import type { Rendered } from './rendered.ts';

type HandlerReply = ReplyExtras & { readonly status: number; readonly body?: unknown };

/**
 * Renders a handler's reply. The body passes through the schema of its status, so a field added to a record does not
 * leak.
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
  if (!checked.success) throw undeclared(route, 'a body that does not fit its schema', checked.error);
  return { status, headers, body: JSON.stringify(checked.data), cookies };
}

function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}

function undeclared({ method, path }: RouteContract, what: string, cause?: unknown): Error {
  const bug = new Error(`The handler of ${method} ${path} returned ${what}`, { cause });
  return httpErrors.INTERNAL('The server failed to handle this request', { cause: bug });
}
