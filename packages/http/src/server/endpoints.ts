import type { Hono } from 'hono';

import { httpErrors } from '../errors.ts';
import { type Idempotency, idempotencyKeyOf } from '../idempotency/idempotency.ts';
import { announcedBytes, refuseLarge } from '../request/body.ts';
import { beforeDeadline } from '../request/deadline.ts';
import type { Principal } from '../request/principal.ts';
import type { Uploads } from '../request/uploads.ts';
import { completed, render, type Rendered, responseOf } from '../response/render.ts';
import type { Method, ReplyExtras } from '../routes/contract.ts';
import type { PreparedRaw } from '../routes/raw.ts';
import type { AnyRoute } from '../routes/route.ts';
import { type Site, siteAnswerer } from '../site/site.ts';
import type { StreamRegistry } from '../sse/registry.ts';
import { andThen, type MaybePromise } from './maybe-promise.ts';
import type { Limits } from './options.ts';
import { authorise, isPublic, type RequestContext } from './request-context.ts';
import { type Body, NO_BODY, readBody, readInput, RequestInput, type RouteInput } from './request-input.ts';
import type { Endpoint } from './request-pipeline.ts';

export interface RouteTools {
  readonly limits: Limits;
  readonly idempotency: Idempotency;
  readonly registry: StreamRegistry;
  readonly uploads: Uploads;
}

type Returned = Response | (ReplyExtras & { readonly status: number });

/** A route: authorise, validate, look up a stored answer, run the handler, render. */
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
      const error = httpErrors.REQUEST_TIMEOUT(`The request was not finished within ${timeoutMs} ms`);
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
      if (returned instanceof Response) throw new TypeError(`${template}: a Response cannot be remembered`);
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
        : tools.uploads.receive(upload, principal?.userId ?? 'public', (received) =>
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
      andThen(isOpen ? undefined : authorise(context, needed), (principal) =>
        andThen(route.method === 'GET' ? NO_BODY : readBody(context, route, tools.limits), (body) =>
          answer(context, principal, body),
        ),
      ),
  };
}

/** A raw application behind the checks of every route; it reads bodies itself. */
export function rawEndpoint(raw: PreparedRaw, template: string, limits: Limits): Endpoint {
  return {
    template,
    isStream: false,
    respond: async (context) => {
      const { request, hono } = context;
      const needed = raw.permissionsFor(request.method, hono.req.path);
      if (needed === undefined) throw httpErrors.ROUTE_NOT_FOUND('There is nothing at this URL');
      await authorise(context, needed);
      const isUnannounced = request.headers.get('transfer-encoding') !== null;
      refuseLarge(isUnannounced ? Number.POSITIVE_INFINITY : (announcedBytes(request) ?? 0), limits.bodyBytes);
      const response = await raw.fetch(request, hono.env as object);
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
  return httpErrors.METHOD_NOT_ALLOWED(`This address takes ${allow}`, { details: { allow } });
}

/** Returns the URL path as sent: paths compared with a list must not be decoded. */
function sentPath({ request: { url } }: RequestContext): string {
  const start = url.indexOf('/', 'https://'.length);
  const end = url.slice(start).search(/[?#]/);
  return end < 0 ? url.slice(start) : url.slice(start, start + end);
}
