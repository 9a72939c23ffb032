/**
 * HTTP for all Holdfast applications: routes as data, permissions, problem details, OpenAPI, events.
 *
 * @module
 */
export { httpErrors } from './errors.ts';
export type { IdempotencyStore, ReplyId, StoredReply } from './idempotency/store.ts';
export { page, pageOf, pageQuery } from './lists.ts';
export { createLogger, type Logger, type LoggerOptions } from './observe/logger.ts';
export type { ReadinessCheck } from './observe/readiness.ts';
export { type BoundRequest, type RouteBinding, routesFor } from './operation/route.ts';
export { zodOf } from './operation/zod.ts';
export { openApiDocument } from './openapi/document.ts';
export type { OpenApiDocument } from './openapi/types.ts';
export { Problem } from './problems/problem.ts';
export { type Statuses, statusOf } from './problems/status.ts';
export type { Authenticate, Credentials, Principal } from './request/principal.ts';
export { type CookieJar, cookieJar, type CookieOptions } from './response/cookies.ts';
export {
  contentTag,
  optionalMatch,
  type Precondition,
  requireMatch,
  revisionOfTag,
  revisionTag,
} from './response/etag.ts';
export { fileResponse } from './response/file-response.ts';
export { type App, type AppContract, defineApp, type RawMount } from './routes/app.ts';
export type { Method, Permission, ReplyExtras, ReplyOf, RequestShape, RouteContract } from './routes/contract.ts';
export { accepted, created, noContent, ok, type Reply, reply } from './routes/reply.ts';
export { type AnyRoute, defineRoute, type HandlerInput, type Route, type Upload } from './routes/route.ts';
export { bytes, events, nothing } from './routes/shapes.ts';
export { type RouteEntry, routeTable } from './routes/table.ts';
export { listen, type Listening, type ListenOptions } from './server/listen.ts';
export type { TlsFiles } from './server/node-server.ts';
export type { Limits, ServerOptions } from './server/options.ts';
export { createServer, type Server } from './server/server.ts';
export type { CloseReport } from './server/shut-down.ts';
export type { SocketLimits } from './server/socket-limits.ts';
export { loadSite, type SiteOptions } from './site/load-site.ts';
export type { PagePath, Site } from './site/site.ts';
export { Broadcaster, type BroadcasterOptions } from './sse/broadcaster.ts';
export type { StreamEvent } from './sse/event.ts';
export type { EventFeed } from './sse/feed.ts';
export type { StreamSettings } from './sse/registry.ts';
export { sse, type SseOptions } from './sse/sse.ts';
