import { httpErrors } from '../errors.ts';
import { type Idempotency, idempotencyKeyOf } from '../idempotency/idempotency.ts';
import type { Principal } from '../request/principal.ts';
import { beforeDeadline } from '../request/deadline.ts';
import { render } from '../response/render.ts';
import { completed, type Rendered, responseOf } from '../response/rendered.ts';
import type { ReplyExtras } from '../routes/contract.ts';
import type { AnyRoute } from '../routes/route.ts';
import type { StreamRegistry } from '../sse/registry.ts';
import { authorise, isPublic } from './authorise.ts';
import type { Endpoint } from './conduct.ts';
import type { Limits } from './options.ts';
import { RequestInput } from './request-input.ts';
import { type Body, NO_BODY, readBody, readInput, type RouteInput } from './route-input.ts';
import { type MaybePromise, settle } from './settle.ts';
import type { Visit } from './visit.ts';

export interface RouteTools {
  readonly limits: Limits;
  readonly idempotency: Idempotency;
  readonly registry: StreamRegistry;
}

type Returned = Response | (ReplyExtras & { readonly status: number });

/** The way through one route: may they, is it well-formed, was it done before, do it, answer. In that order. */
export function routeEndpoint(route: AnyRoute, template: string, tools: RouteTools): Endpoint {
  const needed = [route.permission];
  const isOpen = isPublic(needed);
  const handler = route.handler as (input: RequestInput) => MaybePromise<Returned>;
  const timeoutMs = route.limits?.timeoutMs ?? tools.limits.handlerTimeoutMs;

  const call = (visit: Visit, principal: Principal | undefined, input: RouteInput): MaybePromise<Returned> => {
    const late = (): Error => {
      const error = httpErrors.REQUEST_TIMEOUT(`The request was not finished within ${timeoutMs} ms`);
      visit.giveUp(error);
      return error;
    };
    const returned = handler(new RequestInput(visit, principal, input, needed, tools.registry));
    return returned instanceof Promise ? beforeDeadline(returned, timeoutMs, late) : returned;
  };

  const once = (visit: Visit, principal: Principal, input: RouteInput, key: string): Promise<Rendered> => {
    const { method, url } = visit.request;
    const target = url.slice(url.indexOf('/', 'https://'.length));
    return tools.idempotency.run({ userId: principal.userId, key, method, target, body: input.bodyText }, async () => {
      const returned = await call(visit, principal, input);
      if (returned instanceof Response) throw new TypeError(`${template}: a Response cannot be remembered`);
      return render(route, returned, visit.request);
    });
  };

  const answer = (visit: Visit, principal: Principal | undefined, body: Body): MaybePromise<Response> => {
    const input = readInput(visit, route, body);
    const { requestId, security } = visit;
    const key = route.idempotent === true ? idempotencyKeyOf(visit.request.headers) : undefined;
    if (key !== undefined && principal !== undefined) {
      return once(visit, principal, input, key).then((rendered) => responseOf(rendered, security, requestId));
    }
    return settle(call(visit, principal, input), (returned) =>
      returned instanceof Response
        ? completed(returned, security, requestId)
        : responseOf(render(route, returned, visit.request), security, requestId),
    );
  };

  return {
    template,
    isStream: Object.values(route.responses).some((shape) => 'carries' in shape && shape.carries === 'events'),
    respond: (visit) =>
      settle(isOpen ? undefined : authorise(visit, needed), (principal) =>
        settle(route.method === 'GET' ? NO_BODY : readBody(visit, route, tools.limits), (body) =>
          answer(visit, principal, body),
        ),
      ),
  };
}
