import { httpErrors } from '../errors.ts';
import { announcedBytes, refuseLarge } from '../request/body.ts';
import { completed } from '../response/rendered.ts';
import type { PreparedRaw } from '../routes/raw.ts';
import { authorise } from './authorise.ts';
import type { Endpoint } from './conduct.ts';
import type { Limits } from './options.ts';

/** A raw application behind the same checks as every route; what it says about the body is up to itself. */
export function rawEndpoint(raw: PreparedRaw, template: string, limits: Limits): Endpoint {
  return {
    template,
    isStream: false,
    respond: async (visit) => {
      const { request, context } = visit;
      const needed = raw.permissionsFor(request.method, context.req.path);
      if (needed === undefined) throw httpErrors.ROUTE_NOT_FOUND('There is nothing at this address');
      await authorise(visit, needed);
      const isUnannounced = request.headers.get('transfer-encoding') !== null;
      refuseLarge(isUnannounced ? Number.POSITIVE_INFINITY : (announcedBytes(request) ?? 0), limits.bodyBytes);
      const response = await raw.fetch(request, context.env as object);
      return completed(response, visit.security, visit.requestId);
    },
  };
}
