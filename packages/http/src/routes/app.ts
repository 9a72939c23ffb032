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
  /** Codes of this application whose status says more than their kind does: `{ QUEUE_FULL: 429 }`. */
  readonly statuses?: Statuses;
}

/** An application without its handlers: enough for OpenAPI. */
export interface AppContract extends Omit<App, 'routes'> {
  readonly routes: readonly RouteContract[];
}

/**
 * A Hono application of its own, for what does not fit a route (another library's handler, for example). Each of its
 * handlers, middleware included, is named with its permission; a request needs the permissions of all that match it.
 */
export interface RawMount {
  readonly hono: Hono;
  /** `{ 'GET /feed': 'audiobooks:read', 'ALL /*': 'public' }`, with paths as given to Hono. */
  readonly permissions: Readonly<Record<string, Permission>>;
}

export function defineApp<const Routes extends readonly AnyRoute[]>(app: App<Routes>): App<Routes> {
  return app;
}
