/**
 * HTTP for all Holdfast applications: routes as data, permissions, problem details, OpenAPI, events.
 *
 * @module
 */
export { httpErrors } from './errors.ts';
export { pageQuery } from './lists.ts';
export { createLogger, type Logger } from './observe/logger.ts';
export type { ReadinessCheck } from './observe/readiness.ts';
export { type BoundRequest, routesFor } from './operation/bind-route.ts';
export { zodOf } from './operation/zod.ts';
export { openApiDocument } from './openapi/document.ts';
export { type Statuses, statusOf } from './problems/problem.ts';
export type { Authenticate, Credentials, Principal } from './request/principal.ts';
export type { ProxySignIn } from './request/proxy-user.ts';
export { type CookieJar, cookieJar } from './response/cookies.ts';
export {
  contentTag,
  optionalMatch,
  type Precondition,
  requireMatch,
  revisionOfTag,
  revisionTag,
} from './response/etag.ts';
export { fileResponse } from './response/file-response.ts';
export {
  type App,
  created,
  defineApp,
  defineRoute,
  type HandlerInput,
  noContent,
  ok,
  type RawEnvironment,
  type Upgrade,
} from './routes/route.ts';
export { bytes, events, nothing } from './routes/contract.ts';
export { routeTable } from './routes/table.ts';
export { listen, type Listening, type ListenOptions } from './server/listen.ts';
export { createServer, type Server } from './server/server.ts';
export { loadSite, type Site } from './site/site.ts';
export { Broadcaster } from './sse/broadcaster.ts';
export type { EventFeed, StreamEvent } from './sse/event.ts';
export type { LiveStream, StreamRegistry } from './sse/registry.ts';
export { sse } from './sse/sse.ts';
