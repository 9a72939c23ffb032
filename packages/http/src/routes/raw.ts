import { Hono } from 'hono';

import { httpErrors } from '../errors.ts';
import type { RelaxedGuards } from '../guards/origins.ts';
import type { RawMount } from './route.ts';
import type { Method, Permission } from './contract.ts';

export interface RawRoute {
  readonly method: Method | 'ALL';
  /** The whole path, including the base path, in Hono's notation. */
  readonly path: string;
  /** Undefined if the mount lists no permission for this handler; the server then refuses to start. */
  readonly permission: Permission | undefined;
}

export interface PreparedRaw {
  readonly relaxed: RelaxedGuards | undefined;
  readonly hasPlainErrors: boolean;
  /** All registered handlers, including middleware. */
  readonly routes: readonly RawRoute[];
  /** Permissions of all handlers that match the request; undefined if none matches. */
  permissionsFor(method: string, path: string): readonly Permission[] | undefined;
  fetch(request: Request, env: object): Response | Promise<Response>;
}

/**
 * Copies a Hono app below its base path. Handlers registered on the original later are not in the copy, so no handler
 * escapes the permission check. Errors in the app's handlers become exceptions and are handled like all other errors.
 */
export function prepareRaw(basePath: string, mount: RawMount): PreparedRaw {
  const hono = new Hono().route(basePath === '' ? '/' : basePath, mount.hono);
  hono.onError((error) => {
    throw error;
  });
  hono.notFound(() => {
    throw httpErrors.ROUTE_NOT_FOUND('There is nothing at this URL');
  });
  const routes = hono.routes.map((route, index): RawRoute => {
    const original = mount.hono.routes[index];
    const permission = mount.permissions[`${original?.method} ${original?.path}`];
    return { method: route.method as Method | 'ALL', path: route.path, permission };
  });
  const permissionByRoute = new Map<object, Permission | undefined>(
    hono.routes.map((route, index) => [route, routes[index]?.permission]),
  );
  return {
    relaxed: mount.relaxed,
    hasPlainErrors: mount.hasPlainErrors === true,
    routes,
    fetch: (request, env) => hono.fetch(request, env),
    permissionsFor: (method, path) => {
      const [handlers] = hono.router.match(method === 'HEAD' ? 'GET' : method, path);
      // The router's matches are [handler, route] pairs; the route is the object listed in `hono.routes`.
      const needed = handlers.map(([[, route]]) => permissionByRoute.get(route));
      const known = needed.filter((permission) => permission !== undefined);
      return needed.length === 0 || known.length < needed.length ? undefined : known;
    },
  };
}
