import type { Hono } from 'hono';

import type { Statuses } from '../problems/status.ts';
import type { Permission, RouteContract } from './contract.ts';
import type { AnyRoute } from './route.ts';

/** The routes of one application, all below one base path. */
export interface App<Routes extends readonly AnyRoute[] = readonly AnyRoute[]> {
  /** `np`: the tag in OpenAPI and the first part of operation ids. */
  readonly name: string;
  /** `/api/np`, or empty for routes at the root. */
  readonly basePath: string;
  readonly routes: Routes;
  readonly raw?: readonly RawMount[];
  /** Codes with a status other than that of their kind: `{ QUEUE_FULL: 429 }`. */
  readonly statuses?: Statuses;
}

/** An application without its handlers: enough for OpenAPI. */
export interface AppContract extends Omit<App, 'routes'> {
  readonly routes: readonly RouteContract[];
}

/**
 * A Hono application for what does not fit a route, such as another library's handler. Each handler and middleware has
 * a permission; a request needs those of all that match.
 */
export interface RawMount {
  readonly hono: Hono;
  /** `{ 'GET /feed': 'audiobooks:read', 'ALL /*': 'public' }`, with paths as given to Hono. */
  readonly permissions: Readonly<Record<string, Permission>>;
}

export function defineApp<const Routes extends readonly AnyRoute[]>(app: App<Routes>): App<Routes> {
  return app;
}
