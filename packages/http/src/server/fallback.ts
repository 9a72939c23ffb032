import type { Hono } from 'hono';

import { httpErrors } from '../errors.ts';
import type { Method } from '../routes/contract.ts';
import { siteAnswerer } from '../site/answer.ts';
import type { Site } from '../site/site.ts';
import type { Endpoint } from './request-pipeline.ts';
import type { RequestContext } from './request-context.ts';

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
