import type { IncomingMessage } from 'node:http';

import type { Context } from 'hono';
import type { Logger } from 'pino';

import { httpErrors } from '../errors.ts';
import { clientAddress, type TrustedProxies } from '../request/client-address.ts';
import type { ProxyUsers } from '../request/proxy-user.ts';
import type { Authenticate, Principal } from '../request/principal.ts';
import type { QueryValues } from '../request/query.ts';
import { requestIdOf } from '../request/request-id.ts';
import { type SecurityHeaders, securityHeaders } from '../response/security-headers.ts';
import type { Permission } from '../routes/contract.ts';
import { andThen, type MaybePromise } from './maybe-promise.ts';

export interface RequestContextTools {
  readonly authenticate: Authenticate;
  readonly proxies: TrustedProxies;
  readonly proxyUsers: ProxyUsers;
  readonly logger: Logger;
}

/** One request in the server. Expensive parts are created on first use. */
export class RequestContext {
  readonly hono: Context;
  readonly request: Request;
  readonly requestId: string;
  readonly startedAt: number = performance.now();
  /** Name in logs and metrics: the route template, never the URL. */
  template: string;
  /** Our origin for this request's Host; empty until the Host has been checked. */
  origin = '';
  /** Name of the user that the trusted reverse proxy has signed in. */
  proxyUser: string | undefined;
  query: QueryValues = {};
  principal: Principal | undefined;
  readonly #tools: RequestContextTools;
  #asked: MaybePromise<Principal | undefined>;
  #controller: AbortController | undefined;
  #log: Logger | undefined;

  constructor(hono: Context, template: string, tools: RequestContextTools) {
    this.hono = hono;
    this.request = hono.req.raw;
    this.requestId = requestIdOf(this.request.headers);
    this.template = template;
    this.#tools = tools;
  }

  get isSecure(): boolean {
    return this.origin.startsWith('https:');
  }

  get security(): SecurityHeaders {
    return securityHeaders(this.isSecure);
  }

  get log(): Logger {
    this.#log ??= this.#tools.logger.child({ request_id: this.requestId });
    return this.#log;
  }

  /** The address at the other end of the connection, which may be a proxy. */
  get peer(): string {
    const { incoming } = (this.hono.env ?? {}) as { readonly incoming?: IncomingMessage };
    return incoming?.socket.remoteAddress ?? 'unknown';
  }

  get clientAddress(): string {
    return clientAddress(this.peer, this.request.headers.get('x-forwarded-for'), this.#tools.proxies);
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      const controller = new AbortController();
      const { signal } = this.request;
      if (signal.aborted) controller.abort(signal.reason);
      else signal.addEventListener('abort', () => controller.abort(signal.reason), { once: true });
      this.#controller = controller;
    }
    return this.#controller.signal;
  }

  /** Aborts work that was started for this request. */
  giveUp(reason: Error): void {
    this.#controller?.abort(reason);
  }

  /** Authenticates on the first call and returns the same result afterwards. */
  authenticate(): MaybePromise<Principal | undefined> {
    this.#asked ??= this.authenticateAgain();
    return andThen(this.#asked, (principal) => {
      this.principal = principal;
      return principal;
    });
  }

  authenticateAgain(): MaybePromise<Principal | undefined> {
    const { isSecure, proxyUser } = this;
    return this.#tools.authenticate({ headers: this.request.headers, isSecure, proxyUser });
  }
}

/** Requires all these permissions. Returns undefined without authenticating if all are public. */
export function authorise(context: RequestContext, needed: readonly Permission[]): MaybePromise<Principal | undefined> {
  if (isPublic(needed)) return undefined;
  return andThen(context.authenticate(), (principal) => allowed(principal, needed));
}

function allowed(principal: Principal | undefined, needed: readonly Permission[]): Principal {
  if (principal === undefined) throw httpErrors.UNAUTHENTICATED('Sign in, or send a valid token');
  const missing = missingPermission(principal, needed);
  if (missing !== undefined) {
    throw httpErrors.FORBIDDEN(`This requires the permission ${missing}`, { details: { permission: missing } });
  }
  return principal;
}

export async function isStillAllowed(context: RequestContext, needed: readonly Permission[]): Promise<boolean> {
  if (isPublic(needed)) return true;
  const principal = await context.authenticateAgain();
  return principal !== undefined && missingPermission(principal, needed) === undefined;
}

export function isPublic(needed: readonly Permission[]): boolean {
  return needed.every((permission) => permission === 'public');
}

function missingPermission(principal: Principal, needed: readonly Permission[]): Permission | undefined {
  return needed.find((permission) => permission !== 'public' && !principal.permissions.has(permission));
}
