import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

import type { Hono } from 'hono';
import type { Logger } from 'pino';

import type { RelaxedGuards } from '../guards/origins.ts';
import type { Statuses } from '../problems/problem.ts';
import type { Principal } from '../request/principal.ts';
import type { StreamRegistry, StreamScope } from '../sse/registry.ts';
import type {
  Method,
  Permission,
  ReplyExtras,
  ReplyOf,
  RequestShape,
  ResponseShapes,
  RouteContract,
  UploadShape,
  Validated,
} from './contract.ts';

/** Input of a handler. A plain object, so tests can call handlers without a server. */
export interface HandlerInput<
  Path extends string = string,
  Access extends Permission = Permission,
  Request extends RequestShape = RequestShape,
> extends Validated<Path, Request> {
  /** The caller; undefined on public routes, which do not authenticate but may call `authenticate`. */
  readonly principal: Access extends 'public' ? undefined : Principal;
  authenticate(): Promise<Principal | undefined>;
  readonly upload: Request extends { readonly upload: UploadShape } ? Upload : undefined;
  readonly request: globalThis.Request;
  readonly requestId: string;
  /** Aborts when the client disconnects, the timeout expires or the server stops. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** The client's address; behind a trusted proxy, the address that the proxy reports. */
  readonly clientAddress: string;
  /** True if the client used TLS; cookies depend on it. */
  readonly isSecure: boolean;
  /** The server's own origin, as the client addressed it: `https://holdfast.example`. */
  readonly origin: string;
  /** Name of the user that the trusted reverse proxy has signed in. */
  readonly proxyUser: string | undefined;
  /** For services that ensure exactly-once creation in their own transaction. */
  readonly idempotencyKey: string | undefined;
  /** Used by `sse`. */
  readonly streams: StreamScope;
}

export interface Upload {
  readonly type: string;
  readonly stream: ReadableStream<Uint8Array>;
}

export interface Route<
  M extends Method = Method,
  Path extends string = string,
  Access extends Permission = Permission,
  Request extends RequestShape = RequestShape,
  Responses extends ResponseShapes = ResponseShapes,
> extends RouteContract<M, Path, Access, Request, Responses> {
  readonly handler: (input: HandlerInput<Path, Access, Request>) => ReplyOf<Responses> | Promise<ReplyOf<Responses>>;
}

/** Type of the routes in a list. Only the pipeline calls their handlers, and it passes input of the right type. */
export interface AnyRoute extends RouteContract {
  readonly handler: (input: never) => unknown;
}

/** Returns its argument with exact types for method, path and schemas. */
export function defineRoute<
  const M extends Method,
  const Path extends string,
  const Access extends Permission,
  const Request extends RequestShape,
  const Responses extends ResponseShapes,
>(route: Route<M, Path, Access, Request, Responses>): Route<M, Path, Access, Request, Responses> {
  return route;
}

/** A route without a handler, for contracts implemented elsewhere. */
export function defineContract<
  const M extends Method,
  const Path extends string,
  const Access extends Permission,
  const Request extends RequestShape,
  const Responses extends ResponseShapes,
>(contract: RouteContract<M, Path, Access, Request, Responses>): RouteContract<M, Path, Access, Request, Responses> {
  return contract;
}

interface Reply<Status extends number, Body> extends ReplyExtras {
  readonly status: Status;
  readonly body: Body;
}

function reply<const Status extends number, const Body>(
  status: Status,
  body: Body,
  extras: ReplyExtras = {},
): Reply<Status, Body> {
  return { ...extras, status, body };
}

export function ok<const Body>(body: Body, extras?: ReplyExtras): Reply<200, Body> {
  return reply(200, body, extras);
}

/** `location` is the address of the new resource. */
export function created<const Body>(body: Body, location: string, extras: ReplyExtras = {}): Reply<201, Body> {
  return reply(201, body, { ...extras, headers: { ...extras.headers, location } });
}

export function noContent(extras: ReplyExtras = {}): ReplyExtras & { readonly status: 204 } {
  return { ...extras, status: 204 };
}

/** The routes of one application, all below one base path. */
export interface App<Routes extends readonly AnyRoute[] = readonly AnyRoute[]> {
  /** `np`: the tag in OpenAPI and the first part of operation ids. */
  readonly name: string;
  /** `/api/np`, or empty for routes at the root. */
  readonly basePath: string;
  readonly routes: Routes;
  readonly raw?: readonly RawMount[];
  readonly upgrades?: readonly Upgrade[];
  /** Error codes whose HTTP status differs from the default of their kind: `{ QUEUE_FULL: 429 }`. */
  readonly statuses?: Statuses;
}

/** An application without its handlers: enough for OpenAPI. */
export interface AppContract extends Omit<App, 'routes'> {
  readonly routes: readonly RouteContract[];
}

/**
 * A Hono application for handlers that are not routes, such as those of another library. Each handler and middleware
 * has a permission; a request needs the permissions of all handlers that match it.
 */
export interface RawMount {
  readonly hono: Hono;
  /** `{ 'GET /feed': 'app:audiobooks:read', 'ALL /*': 'public' }`, with paths as given to Hono. */
  readonly permissions: Readonly<Record<string, Permission>>;
  readonly relaxed?: RelaxedGuards;
  /** Sends only the message of an error, as plain text, for clients that show the body of an error to people. */
  readonly hasPlainErrors?: boolean;
}

/** Data about a request that the server passes to a mounted app as Hono's `env`. */
export interface RawEnvironment {
  /** As in `HandlerInput`. */
  readonly clientAddress: string;
  readonly isSecure: boolean;
  /** Undefined if all matching handlers are public. */
  readonly principal: Principal | undefined;
}

/** A path at which an application accepts WebSockets. The server checks the Host first. */
export interface Upgrade {
  readonly path: string;
  /** Foreign origins that may connect. Programs that send no Origin may always connect. */
  readonly origins: readonly string[];
  /** Takes over the connection. Registers it in `streams`, which limits the number of open connections of a user. */
  readonly accept: (request: IncomingMessage, socket: Duplex, head: Buffer, streams: StreamRegistry) => void;
}

export function defineApp<const Routes extends readonly AnyRoute[]>(app: App<Routes>): App<Routes> {
  return app;
}
