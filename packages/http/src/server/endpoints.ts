import type { Hono } from 'hono';
import type { Logger } from 'pino';
import type { z } from 'zod';

import { httpErrors } from '../errors.ts';
import { type Idempotency, idempotencyKeyOf } from '../idempotency/idempotency.ts';
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
import type { Uploads } from '../request/uploads.ts';
import { completed, render, type Rendered, responseOf } from '../response/render.ts';
import type { Method, Permission, ReplyExtras, RouteContract } from '../routes/contract.ts';
import type { PreparedRaw } from '../routes/raw.ts';
import type { AnyRoute, HandlerInput, RawEnvironment, Upload } from '../routes/route.ts';
import { type Site, siteAnswerer } from '../site/site.ts';
import type { StreamRegistry, StreamScope } from '../sse/registry.ts';
import { andThen, type MaybePromise } from './maybe-promise.ts';
import type { Limits } from './options.ts';
import { authorise, isPublic, isStillAllowed, type RequestContext } from './request-context.ts';
import type { Endpoint } from './request-pipeline.ts';

export interface RouteTools {
  readonly limits: Limits;
  readonly idempotency: Idempotency;
  readonly registry: StreamRegistry;
  readonly uploads: Uploads;
}

type Returned = Response | (ReplyExtras & { readonly status: number });

/** Handles a route: authorises, validates, looks up a stored answer, runs the handler and renders its reply. */
export function routeEndpoint(route: AnyRoute, template: string, tools: RouteTools): Endpoint {
  const needed = [route.permission];
  const isOpen = isPublic(needed);
  const handler = route.handler as (input: RequestInput) => MaybePromise<Returned>;
  const timeoutMs = route.limits?.timeoutMs ?? tools.limits.handlerTimeoutMs;

  const call = (
    context: RequestContext,
    principal: Principal | undefined,
    input: RouteInput,
  ): MaybePromise<Returned> => {
    const late = (): Error => {
      const error = httpErrors.REQUEST_TIMEOUT(`The server did not finish the request within ${timeoutMs} ms`);
      context.giveUp(error);
      return error;
    };
    const returned = handler(new RequestInput(context, principal, input, needed, tools.registry));
    return returned instanceof Promise ? beforeDeadline(returned, timeoutMs, late) : returned;
  };

  const once = (context: RequestContext, principal: Principal, input: RouteInput, key: string): Promise<Rendered> => {
    const { method, url } = context.request;
    const target = url.slice(url.indexOf('/', 'https://'.length));
    return tools.idempotency.run({ userId: principal.userId, key, method, target, body: input.bodyText }, async () => {
      const returned = await call(context, principal, input);
      if (returned instanceof Response)
        throw new TypeError(`${template}: a Response cannot be stored for an Idempotency-Key`);
      return render(route, returned, context.request);
    });
  };

  const answer = (context: RequestContext, principal: Principal | undefined, body: Body): MaybePromise<Response> => {
    const input = readInput(context, route, body);
    const { requestId, security } = context;
    const key = route.idempotent === true ? idempotencyKeyOf(context.request.headers) : undefined;
    if (key !== undefined && principal !== undefined) {
      return once(context, principal, input, key).then((rendered) => responseOf(rendered, security, requestId));
    }
    const { upload } = input;
    const returning =
      upload === undefined
        ? call(context, principal, input)
        : tools.uploads.receive(upload, userOf(principal), (received) =>
            call(context, principal, { ...input, upload: received }),
          );
    return andThen(returning, (returned) =>
      returned instanceof Response
        ? completed(returned, security, requestId)
        : responseOf(render(route, returned, context.request), security, requestId),
    );
  };

  return {
    template,
    isStream: Object.values(route.responses).some((shape) => 'carries' in shape && shape.carries === 'events'),
    respond: (context) =>
      andThen(isOpen ? undefined : authorise(context, needed), (principal) => {
        const large = largeBody(context, route, tools.limits);
        if (large !== undefined) {
          return tools.uploads.receive(large, userOf(principal), async ({ stream }) =>
            answer(context, principal, { text: await readText(new Response(stream), Infinity), upload: undefined }),
          );
        }
        return andThen(route.method === 'GET' ? NO_BODY : readBody(context, route, tools.limits), (body) =>
          answer(context, principal, body),
        );
      }),
  };
}

function userOf(principal: Principal | undefined): string {
  return principal?.userId ?? 'public';
}

/**
 * Handles a mounted Hono app. The server makes the same checks as for every route; the Hono app reads bodies itself.
 */
export function rawEndpoint(raw: PreparedRaw, template: string, limits: Limits): Endpoint {
  return {
    template,
    isStream: false,
    relaxed: raw.relaxed,
    hasPlainErrors: raw.hasPlainErrors,
    respond: async (context) => {
      const { request, hono, clientAddress, isSecure } = context;
      const needed = raw.permissionsFor(request.method, hono.req.path);
      if (needed === undefined) throw httpErrors.ROUTE_NOT_FOUND('There is nothing at this URL');
      const principal = await authorise(context, needed);
      const isUnannounced = request.headers.get('transfer-encoding') !== null;
      refuseLarge(isUnannounced ? Number.POSITIVE_INFINITY : (announcedBytes(request) ?? 0), limits.bodyBytes);
      const env: RawEnvironment = { ...(hono.env as object), clientAddress, isSecure, principal };
      const response = await raw.fetch(request, env);
      return completed(response, context.security, context.requestId);
    },
  };
}

const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Handles requests without a route: a file or page of the site, else 405 with the allowed methods, else 404. */
export function fallbackEndpoint(hono: Hono, site: Site | undefined): Endpoint {
  const fromSite = site === undefined ? undefined : siteAnswerer(site);
  return {
    template: 'unmatched',
    isStream: false,
    respond: (context) => {
      const { method, headers } = context.request;
      const found =
        method === 'GET' || method === 'HEAD' ? fromSite?.(sentPath(context), headers, context.security) : undefined;
      if (found !== undefined) {
        context.template = 'site';
        const all = { ...found.headers, 'x-request-id': context.requestId };
        return new Response(found.body as Uint8Array<ArrayBuffer> | null, { status: found.status, headers: all });
      }
      throw refusal(hono, context);
    },
  };
}

function refusal(hono: Hono, context: RequestContext): Error {
  const { path } = context.hono.req;
  const methods = METHODS.filter((method) => hono.router.match(method, path)[0].length > 0);
  if (methods.length === 0) return httpErrors.ROUTE_NOT_FOUND('There is nothing at this URL');
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].join(', ');
  return httpErrors.METHOD_NOT_ALLOWED(`This URL supports only ${allow}`, { details: { allow } });
}

/** Returns the URL path as sent, not decoded: the site compares it with its list of paths. */
function sentPath({ request: { url } }: RequestContext): string {
  const start = url.indexOf('/', 'https://'.length);
  const end = url.slice(start).search(/[?#]/);
  return end < 0 ? url.slice(start) : url.slice(start, start + end);
}

/** `HandlerInput` without the fields whose types depend on the route. */
type Untyped = Omit<HandlerInput, 'params' | 'query' | 'headers' | 'body' | 'upload' | 'principal'>;

/** Input of a handler, created lazily because most handlers use little of it. */
class RequestInput implements Untyped {
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

  get origin(): string {
    return this.#context.origin;
  }

  get proxyUser(): string | undefined {
    return this.#context.proxyUser;
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

interface RouteInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly headers: unknown;
  readonly body: unknown;
  readonly upload: Upload | undefined;
  readonly bodyText: string;
}

function readInput(context: RequestContext, route: RouteContract, { text, upload }: Body): RouteInput {
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

interface Body {
  readonly text: string;
  readonly upload: Upload | undefined;
}

const NO_BODY: Body = { text: '', upload: undefined };

/**
 * Returns a JSON body that may be larger than the general limit, as an upload: a body in memory would count for nobody,
 * so unfinished bodies of one user could fill the memory. Returns undefined for all other requests.
 */
function largeBody({ request }: RequestContext, route: RouteContract, limits: Limits): Upload | undefined {
  const limit = route.limits?.bodyBytes ?? limits.bodyBytes;
  const isSmall = (announcedBytes(request) ?? Infinity) <= limits.bodyBytes;
  const hasBody = route.request?.body !== undefined && !isWithoutBody(request);
  if (limit <= limits.bodyBytes || isSmall || !hasBody) return undefined;
  requireJson(request.headers.get('content-type'));
  return { type: 'application/json', stream: limitedStream(request, limit) };
}

async function readBody({ request }: RequestContext, route: RouteContract, limits: Limits): Promise<Body> {
  const { request: shape = {} } = route;
  const contentType = request.headers.get('content-type');
  if (shape.upload !== undefined) {
    const type = requireType(contentType, shape.upload.types);
    return { text: '', upload: { type, stream: limitedStream(request, shape.upload.limitBytes) } };
  }
  const limit = route.limits?.bodyBytes ?? limits.bodyBytes;
  if (shape.body === undefined) {
    // The route takes no body. Checks the content type anyway, to reject forms from other sites.
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

interface FieldError {
  /** `params`, `query`, `headers` or `body`. */
  readonly in: string;
  /** JSON pointer to the field; empty for the whole part. */
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

const FIELD_ERRORS_MAX = 50;

/** Checks all parts of a request and reports all problems at once. */
class Validation {
  readonly #errors: FieldError[] = [];

  check(part: string, schema: z.ZodType | undefined, value: unknown): unknown {
    if (schema === undefined) return undefined;
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    for (const issue of result.error.issues) this.#errors.push(...fieldErrors(part, issue));
    return undefined;
  }

  done(): void {
    if (this.#errors.length === 0) return;
    const errors = this.#errors.slice(0, FIELD_ERRORS_MAX);
    const [first] = errors;
    const more = this.#errors.length > 1 ? ` (and ${this.#errors.length - 1} more)` : '';
    throw httpErrors.VALIDATION_FAILED(`${first?.in}${first?.path}: ${first?.message}${more}`, { details: { errors } });
  }
}

function fieldErrors(part: string, issue: z.core.$ZodIssue): readonly FieldError[] {
  // Reports an unknown key at the path of the key, not of the object around it.
  const places = issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
  return places.map((path) => ({ in: part, path: pointer(path), code: issue.code, message: issue.message }));
}

function pointer(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
