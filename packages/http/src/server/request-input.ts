import type { Logger } from 'pino';

import { idempotencyKeyOf } from '../idempotency/idempotency.ts';
import type { Principal } from '../request/principal.ts';
import type { Permission } from '../routes/contract.ts';
import type { HandlerInput, Upload } from '../routes/route.ts';
import type { StreamRegistry } from '../sse/registry.ts';
import type { StreamScope } from '../sse/scope.ts';
import { isStillAllowed } from './authorise.ts';
import type { RouteInput } from './route-input.ts';
import type { RequestContext } from './request-context.ts';

/** Untyped `HandlerInput`; the route's schemas have validated it. */
type Untyped = Omit<HandlerInput, 'params' | 'query' | 'headers' | 'body' | 'upload' | 'principal'>;

/** Input of a handler, created lazily because most handlers use little of it. */
export class RequestInput implements Untyped {
  readonly params: unknown;
  readonly query: unknown;
  readonly headers: unknown;
  readonly body: unknown;
  readonly upload: Upload | undefined;
  readonly principal: Principal | undefined;
  readonly #context: RequestContext;
  readonly #needed: readonly Permission[];
  readonly #registry: StreamRegistry;

  constructor(
    context: RequestContext,
    principal: Principal | undefined,
    input: RouteInput,
    needed: readonly Permission[],
    registry: StreamRegistry,
  ) {
    this.params = input.params;
    this.query = input.query;
    this.headers = input.headers;
    this.body = input.body;
    this.upload = input.upload;
    this.principal = principal;
    this.#context = context;
    this.#needed = needed;
    this.#registry = registry;
  }

  get request(): Request {
    return this.#context.request;
  }

  get requestId(): string {
    return this.#context.requestId;
  }

  get signal(): AbortSignal {
    return this.#context.signal;
  }

  get log(): Logger {
    return this.#context.log;
  }

  get clientAddress(): string {
    return this.#context.clientAddress;
  }

  get isSecure(): boolean {
    return this.#context.isSecure;
  }

  get idempotencyKey(): string | undefined {
    return idempotencyKeyOf(this.#context.request.headers);
  }

  get streams(): StreamScope {
    const registry = this.#registry;
    return {
      add: (stream) => registry.add(stream),
      remove: (stream) => registry.remove(stream),
      retryMs: registry.settings.retryMs,
      recheckMs: registry.settings.recheckMs,
      isStillAllowed: () => isStillAllowed(this.#context, this.#needed),
    };
  }

  async authenticate(): Promise<Principal | undefined> {
    return this.#context.authenticate();
  }
}
