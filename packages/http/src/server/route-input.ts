import type { z } from 'zod';

import { httpErrors } from '../errors.ts';
import { announcedBytes, limitedStream, readText, refuseLarge } from '../request/body.ts';
import { beforeDeadline } from '../request/deadline.ts';
import { parseJson, requireJson, requireType } from '../request/json.ts';
import { emptyBody, isBodyOptional } from '../request/optional-body.ts';
import { Validation } from '../request/validate.ts';
import type { RouteContract } from '../routes/contract.ts';
import type { Upload } from '../routes/route.ts';
import type { Limits } from './options.ts';
import type { RequestContext } from './request-context.ts';

/** The validated request, and the body as it was sent. */
export interface RouteInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly headers: unknown;
  readonly body: unknown;
  readonly upload: Upload | undefined;
  readonly bodyText: string;
}

export function readInput(context: RequestContext, route: RouteContract, { text, upload }: Body): RouteInput {
  const { request: shape = {} } = route;
  const validation = new Validation();
  const params = context.hono.req.param() as unknown;
  const input = {
    params: shape.params === undefined ? params : validation.check('params', shape.params, params),
    query: validation.check('query', shape.query, context.query),
    headers:
      shape.headers === undefined
        ? undefined
        : validation.check('headers', shape.headers, namedHeaders(context.request, shape.headers)),
    body:
      shape.body === undefined
        ? undefined
        : validation.check('body', shape.body, text === '' ? emptyBody(shape.body) : parseJson(text)),
    upload,
    bodyText: text,
  };
  validation.done();
  return input;
}

export interface Body {
  readonly text: string;
  readonly upload: Upload | undefined;
}

export const NO_BODY: Body = { text: '', upload: undefined };

export async function readBody({ request }: RequestContext, route: RouteContract, limits: Limits): Promise<Body> {
  const { request: shape = {} } = route;
  const contentType = request.headers.get('content-type');
  if (shape.upload !== undefined) {
    const type = requireType(contentType, shape.upload.types);
    return { text: '', upload: { type, stream: limitedStream(request, shape.upload.limitBytes) } };
  }
  const limit = route.limits?.bodyBytes ?? limits.bodyBytes;
  if (shape.body === undefined) {
    // The body is ignored, but another site's form must not get this far.
    if (contentType !== null) requireJson(contentType);
    refuseLarge(announcedBytes(request) ?? 0, limit);
    return NO_BODY;
  }
  if (isWithoutBody(request) && isBodyOptional(shape.body)) return NO_BODY;
  requireJson(contentType);
  const late = (): Error => httpErrors.BODY_TOO_SLOW(`The body did not arrive within ${limits.bodyTimeoutMs} ms`);
  return { text: await beforeDeadline(readText(request, limit), limits.bodyTimeoutMs, late), upload: undefined };
}

function isWithoutBody({ headers }: Request): boolean {
  return (
    !headers.has('content-type') && !headers.has('transfer-encoding') && Number(headers.get('content-length')) === 0
  );
}

function namedHeaders(request: Request, schema: z.ZodObject): Record<string, string> {
  const named: Record<string, string> = {};
  for (const name of Object.keys(schema.shape)) {
    const value = request.headers.get(name);
    if (value !== null) named[name] = value;
  }
  return named;
}
