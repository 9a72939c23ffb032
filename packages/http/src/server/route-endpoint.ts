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
import { NO_BODY, readBody, readInput, type RouteInput } from './route-input.ts';
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
  const handler = route.handler as (input: RequestInput) => Returned | Promise<Returned>;
  const timeoutMs = route.limits?.timeoutMs ?? tools.limits.handlerTimeoutMs;

  const call = (visit: Visit, principal: Principal | undefined, input: RouteInput): Returned | Promise<Returned> => {
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

  return {
    template,
    isStream: Object.values(route.responses).some((shape) => 'carries' in shape && shape.carries === 'events'),
    respond: async (visit) => {
      const principal = isOpen ? undefined : await authorise(visit, needed);
      const body = route.method === 'GET' ? NO_BODY : await readBody(visit, route, tools.limits);
      const input = readInput(visit, route, body);
      const { requestId, security } = visit;
      const key = route.idempotent === true ? idempotencyKeyOf(visit.request.headers) : undefined;
      if (key !== undefined && principal !== undefined) {
        return responseOf(await once(visit, principal, input, key), security, requestId);
      }
      const pending = call(visit, principal, input);
      const returned = pending instanceof Promise ? await pending : pending;
      if (returned instanceof Response) return completed(returned, security, requestId);
      return responseOf(render(route, returned, visit.request), security, requestId);
    },
  };
}
