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

/** Input of a handler. A plain object: a test can call a handler without a server. */
export interface HandlerInput<
  Path extends string = string,
  Access extends Permission = Permission,
  Request extends RequestShape = RequestShape,
> extends Validated<Path, Request> {
  /** The caller. Public routes do not authenticate by themselves; they may call `authenticate`. */
  readonly principal: Access extends 'public' ? undefined : Principal;
  authenticate(): Promise<Principal | undefined>;
  readonly upload: Request extends { readonly upload: UploadShape } ? Upload : undefined;
  readonly request: globalThis.Request;
  readonly requestId: string;
  /** Aborts when the client goes away, the time is up or the server stops. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** The address of the client as far as it can be trusted: behind a named proxy, what that proxy says. */
  readonly clientAddress: string;
  /** True when the client came over TLS: decides how cookies are set. */
  readonly isSecure: boolean;
  /** For services that make a create exactly-once by themselves, in the same transaction. */
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

/** Any route, in lists: each handler takes its own input, which only the pipeline knows. */
export interface AnyRoute extends RouteContract {
  readonly handler: (input: never) => unknown;
}

/** Only for its types: gives back what it got, with method, path and schemas known exactly. */
export function defineRoute<
  const M extends Method,
  const Path extends string,
  const Access extends Permission,
  const Request extends RequestShape,
  const Responses extends ResponseShapes,
>(route: Route<M, Path, Access, Request, Responses>): Route<M, Path, Access, Request, Responses> {
  return route;
}

/** A route without its handler, for what is described in one place and done in another. */
export function defineContract<
  const M extends Method,
  const Path extends string,
  const Access extends Permission,
  const Request extends RequestShape,
  const Responses extends ResponseShapes,
>(contract: RouteContract<M, Path, Access, Request, Responses>): RouteContract<M, Path, Access, Request, Responses> {
  return contract;
}
