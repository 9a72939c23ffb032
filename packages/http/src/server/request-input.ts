import type { Logger } from 'pino';
import type { z } from 'zod';

import { httpErrors } from '../errors.ts';
import { idempotencyKeyOf } from '../idempotency/idempotency.ts';
import {
  announcedBytes,
  emptyBody,
  isBodyOptional,
  limitedStream,
  parseJson,
  readText,
  refuseLarge,
  requireJson,
  requireType,
} from '../request/body.ts';
import { beforeDeadline } from '../request/deadline.ts';
import type { Principal } from '../request/principal.ts';
import { Validation } from '../request/validate.ts';
import type { Permission, RouteContract } from '../routes/contract.ts';
import type { HandlerInput, Upload } from '../routes/route.ts';
import type { StreamRegistry, StreamScope } from '../sse/registry.ts';
import type { Limits } from './options.ts';
import { isStillAllowed, type RequestContext } from './request-context.ts';

/** Untyped `HandlerInput`; the route's schemas have validated it. */
type Untyped = Omit<HandlerInput, 'params' | 'query' | 'headers' | 'body' | 'upload' | 'principal'>;

/** Input of a handler, created lazily because most handlers use little of it. */
export class RequestInput implements Untyped {
  readonly params: unknown;
  readonly query: unknown;
  readonly headers: unknown;
  readonly body: unknown;
  readonly upload: Upload | undefined;
  readonly principal: Principal | undefined;
  readonly #context: RequestContext;
  readonly #needed: readonly Permission[];
  readonly #registry: StreamRegistry;

  constructor(
    context: RequestContext,
    principal: Principal | undefined,
    input: RouteInput,
    needed: readonly Permission[],
    registry: StreamRegistry,
  ) {
    this.params = input.params;
    this.query = input.query;
    this.headers = input.headers;
    this.body = input.body;
    this.upload = input.upload;
    this.principal = principal;
    this.#context = context;
    this.#needed = needed;
    this.#registry = registry;
  }

  get request(): Request {
    return this.#context.request;
  }

  get requestId(): string {
    return this.#context.requestId;
  }

  get signal(): AbortSignal {
    return this.#context.signal;
  }

  get log(): Logger {
    return this.#context.log;
  }

  get clientAddress(): string {
    return this.#context.clientAddress;
  }

  get isSecure(): boolean {
    return this.#context.isSecure;
  }

  get idempotencyKey(): string | undefined {
    return idempotencyKeyOf(this.#context.request.headers);
  }

  get streams(): StreamScope {
    const registry = this.#registry;
    return {
      add: (stream) => registry.add(stream, this.principal?.userId),
      remove: (stream) => registry.remove(stream),
      retryMs: registry.settings.retryMs,
      recheckMs: registry.settings.recheckMs,
      isStillAllowed: () => isStillAllowed(this.#context, this.#needed),
    };
  }

  async authenticate(): Promise<Principal | undefined> {
    return this.#context.authenticate();
  }
}

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
