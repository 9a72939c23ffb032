import type { Logger } from 'pino';

import type { Principal } from '../request/principal.ts';
import type { StreamScope } from '../sse/scope.ts';
import type {
  Method,
  Permission,
  ReplyOf,
  RequestShape,
  ResponseShapes,
  RouteContract,
  Validated,
} from './contract.ts';
import type { UploadShape } from './shapes.ts';

/** Input of a handler. A plain object, so tests can call handlers without a server. */
export interface HandlerInput<
  Path extends string = string,
  Access extends Permission = Permission,
  Request extends RequestShape = RequestShape,
> extends Validated<Path, Request> {
  /** The caller. Public routes do not authenticate; they may call `authenticate`. */
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
  /** True if the client used TLS; decides how cookies are set. */
  readonly isSecure: boolean;
  /** For services that implement exactly-once creation in their own transaction. */
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

/** Any route, in lists; only the pipeline knows each handler's input. */
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
