import { httpErrors } from '../errors.ts';
import { type Idempotency, idempotencyKeyOf } from '../idempotency/idempotency.ts';
import { announcedBytes, refuseLarge } from '../request/body.ts';
import { beforeDeadline } from '../request/deadline.ts';
import type { Principal } from '../request/principal.ts';
import { render } from '../response/render.ts';
import { completed, type Rendered, responseOf } from '../response/rendered.ts';
import type { ReplyExtras } from '../routes/contract.ts';
import type { PreparedRaw } from '../routes/raw.ts';
import type { AnyRoute } from '../routes/route.ts';
import type { StreamRegistry } from '../sse/registry.ts';
import { authorise, isPublic } from './authorise.ts';
import type { Endpoint } from './request-pipeline.ts';
import type { Limits } from './options.ts';
import { RequestInput } from './request-input.ts';
import { type Body, NO_BODY, readBody, readInput, type RouteInput } from './route-input.ts';
import { andThen, type MaybePromise } from './maybe-promise.ts';
import type { RequestContext } from './request-context.ts';

export interface RouteTools {
  readonly limits: Limits;
  readonly idempotency: Idempotency;
  readonly registry: StreamRegistry;
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
    return andThen(call(context, principal, input), (returned) =>
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
