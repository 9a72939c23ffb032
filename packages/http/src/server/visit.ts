import type { IncomingMessage } from 'node:http';

import type { Context } from 'hono';
import type { Logger } from 'pino';

import { clientAddress, type TrustedProxies } from '../request/client-address.ts';
import type { Authenticate, Principal } from '../request/principal.ts';
import type { QueryValues } from '../request/query.ts';
import { requestIdOf } from '../request/request-id.ts';
import { type SecurityHeaders, securityHeaders } from '../response/security-headers.ts';
import { type MaybePromise, settle } from './settle.ts';

export interface VisitTools {
  readonly authenticate: Authenticate;
  readonly proxies: TrustedProxies;
  readonly logger: Logger;
}

/** One request on its way through the server. What costs something is made when it is first asked for. */
export class Visit {
  readonly context: Context;
  readonly request: Request;
  readonly requestId: string;
  readonly startedAt: number = performance.now();
  /** What logs and metrics call it: the template of the route, never the address itself. */
  template: string;
  /** The origin the request came to, and its query; set once they have been checked. */
  origin = '';
  query: QueryValues = {};
  principal: Principal | undefined;
  readonly #tools: VisitTools;
  #asked: MaybePromise<Principal | undefined>;
  #controller: AbortController | undefined;
  #log: Logger | undefined;

  constructor(context: Context, template: string, tools: VisitTools) {
    this.context = context;
    this.request = context.req.raw;
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

  get clientAddress(): string {
    const { incoming } = (this.context.env ?? {}) as { readonly incoming?: IncomingMessage };
    const peer = incoming?.socket.remoteAddress ?? 'unknown';
    return clientAddress(peer, this.request.headers.get('x-forwarded-for'), this.#tools.proxies);
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

  /** Tells work that somebody began for this request that nobody waits for it any more. */
  giveUp(reason: Error): void {
    this.#controller?.abort(reason);
  }

  /** Who asks; asked once, however many want to know. */
  authenticate(): MaybePromise<Principal | undefined> {
    this.#asked ??= this.authenticateAgain();
    return settle(this.#asked, (principal) => {
      this.principal = principal;
      return principal;
    });
  }

  authenticateAgain(): MaybePromise<Principal | undefined> {
    return this.#tools.authenticate({ headers: this.request.headers, isSecure: this.isSecure });
  }
}
