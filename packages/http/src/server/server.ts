import type { Duplex } from 'node:stream';

import { systemClock } from '@holdfast/base';
import { Hono } from 'hono';
import type { Registry } from 'prom-client';

import { Origins } from '../guards/origins.ts';
import { Idempotency, MemoryIdempotencyStore } from '../idempotency/idempotency.ts';
import { createLogger } from '../observe/logger.ts';
import { createMetrics } from '../observe/metrics.ts';
import { runChecks } from '../observe/readiness.ts';
import { openApiDocument } from '../openapi/document.ts';
import type { Statuses } from '../problems/problem.ts';
import { TrustedProxies } from '../request/client-address.ts';
import { ProxyUsers } from '../request/proxy-user.ts';
import type { App, Upgrade } from '../routes/route.ts';
import { compareSpecificity, joinPath, routerPath } from '../routes/path.ts';
import { prepareRaw } from '../routes/raw.ts';
import { type RouteEntry, routeTable } from '../routes/table.ts';
import { Uploads } from '../request/uploads.ts';
import { StreamRegistry } from '../sse/registry.ts';
import { fallbackEndpoint, rawEndpoint, routeEndpoint, type RouteTools } from './endpoints.ts';
import { RequestPipeline } from './request-pipeline.ts';
import { defaultLimits, type ServerOptions } from './options.ts';
import { systemApp } from './system.ts';

/** A server that does not listen yet: `listen` adds a socket, and `request` sends a request without a socket. */
export interface Server {
  readonly fetch: (request: Request, env?: object) => Response | Promise<Response>;
  readonly request: (target: string, init?: RequestInit) => Promise<Response>;
  /** All routes as data, for the permission test. */
  readonly routes: readonly RouteEntry[];
  readonly origins: Origins;
  readonly proxies: TrustedProxies;
  readonly upgrades: readonly Upgrade[];
  /** Open WebSockets, which the node server does not close. */
  readonly upgraded: Set<Duplex>;
  readonly streams: StreamRegistry;
  readonly registry: Registry;
  readonly log: ReturnType<typeof createLogger>;
  /** Makes `/readyz` fail, so load balancers stop sending requests. */
  drain(): void;
  /** Ends streams and timers; a listening server's `close` calls this method. */
  dispose(): void;
}

/** Throws ROUTE_WITHOUT_PERMISSION if any route or mounted handler has no permission. */
export function createServer(options: ServerOptions): Server {
  const logger = options.logger ?? createLogger();
  const streams = new StreamRegistry(options.streams);
  const metrics = createMetrics(() => streams.size);
  let isDraining = false;
  const system = systemApp({
    metrics,
    isDraining: () => isDraining,
    document: () => openApiDocument(options.apps, options.info),
    runChecks: () =>
      runChecks(options.readiness ?? [], (name, error) => logger.warn({ err: error, check: name }, 'not ready')),
  });
  const apps = [system, ...options.apps];
  const routes = [...routeTable(apps), ...(options.site?.entries ?? [])];
  const origins = new Origins(options.origins);
  const proxies = new TrustedProxies(options.trustedProxies);
  const proxyUsers = new ProxyUsers(options.proxySignIn, proxies);
  const { authenticate, now = systemClock } = options;
  const statuses = Object.assign({}, ...options.apps.map((app) => app.statuses)) as Statuses;
  const pipeline = new RequestPipeline({ authenticate, statuses, origins, proxies, proxyUsers, logger, metrics });
  const store = options.idempotency ?? new MemoryIdempotencyStore(now);
  const idempotency = new Idempotency(store, now, (error) => logger.error({ err: error }, 'answer not stored'));
  const limits = { ...defaultLimits, ...options.limits };
  const hono = new Hono();
  mount(hono, apps, pipeline, { limits, idempotency, registry: streams, uploads: new Uploads(options.uploads) });
  const fallback = fallbackEndpoint(hono, options.site);
  hono.notFound((each) => pipeline.handle(fallback, each));
  return {
    fetch: (request, env) => hono.fetch(request, env),
    request: async (target, init) => hono.request(target, init),
    routes,
    origins,
    proxies,
    upgrades: apps.flatMap((app) => app.upgrades ?? []),
    upgraded: new Set(),
    streams,
    registry: metrics.registry,
    log: logger,
    drain: () => {
      isDraining = true;
    },
    dispose: () => {
      streams.closeAll();
      metrics.close();
    },
  };
}

/** Adds routes before mounted Hono apps, so that a wildcard cannot hide another application's routes. */
function mount(hono: Hono, apps: readonly App[], pipeline: RequestPipeline, tools: RouteTools): void {
  const routes = apps.flatMap((app) =>
    app.routes.map((route) => ({ route, path: joinPath(app.basePath, route.path) })),
  );
  for (const { route, path } of routes.sort((left, right) => compareSpecificity(left.path, right.path))) {
    const endpoint = routeEndpoint(route, path, tools);
    hono.on(route.method, routerPath(path), (each) => pipeline.handle(endpoint, each));
  }
  for (const { basePath, raw = [] } of apps) {
    for (const prepared of raw.map((each) => prepareRaw(basePath, each))) {
      const endpoint = rawEndpoint(prepared, `${basePath}/*`, tools.limits);
      for (const { method, path } of prepared.routes) {
        hono.on(method, path, (each) => pipeline.handle(endpoint, each));
      }
    }
  }
}
