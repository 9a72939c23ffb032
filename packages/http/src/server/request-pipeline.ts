import { LogThrottle, SECOND } from '@holdfast/base';
import type { Context } from 'hono';
import type { Logger } from 'pino';

import { type Origins, refuseCrossOrigin, type RelaxedGuards } from '../guards/origins.ts';
import type { Metrics } from '../observe/metrics.ts';
import {
  expectedError,
  type Problem,
  problemHeaders,
  problemOf,
  problemText,
  type Statuses,
} from '../problems/problem.ts';
import { readQuery } from '../request/query.ts';
import { responseOf } from '../response/render.ts';
import type { MaybePromise } from './maybe-promise.ts';
import { RequestContext, type RequestContextTools } from './request-context.ts';

export interface Endpoint {
  readonly template: string;
  /** True if the endpoint responds with an event stream. */
  readonly isStream: boolean;
  readonly relaxed?: RelaxedGuards | undefined;
  readonly hasPlainErrors?: boolean;
  /** Errors thrown here become problem details, or plain text with `hasPlainErrors`. */
  respond(context: RequestContext): MaybePromise<Response>;
}

export interface PipelineTools extends RequestContextTools {
  readonly origins: Origins;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly statuses: Statuses | undefined;
}

/**
 * The steps that every request passes: request id, Host and Origin checks, problem details for errors, one log line and
 * one measurement. All endpoints are reached through this class.
 */
export class RequestPipeline {
  readonly #tools: PipelineTools;
  /**
   * This logger does not redact: only listed fields are logged, and searching them for secrets would cost more than
   * logging.
   */
  readonly #log: Logger;
  readonly #throttle = new LogThrottle();

  constructor(tools: PipelineTools) {
    this.#tools = tools;
    this.#log = tools.logger.child({}, { redact: [] });
  }

  handle(endpoint: Endpoint, hono: Context): MaybePromise<Response> {
    const context = new RequestContext(hono, endpoint.template, this.#tools);
    this.#tools.metrics.requestStarted();
    const fail = (thrown: unknown): Response => this.#finish(context, this.#answerError(context, thrown, endpoint));
    let response: MaybePromise<Response>;
    try {
      this.#guard(context, endpoint);
      response = endpoint.respond(context);
    } catch (thrown) {
      return fail(thrown);
    }
    return response instanceof Promise
      ? response.then((settled) => this.#finish(context, settled), fail)
      : this.#finish(context, response);
  }

  #finish(context: RequestContext, response: Response): Response {
    this.#observe(context, response.status);
    // The router answers HEAD with the response to GET; without `cancel`, a streaming body would never end.
    if (context.request.method === 'HEAD') void response.body?.cancel();
    return response;
  }

  #guard(context: RequestContext, { isStream, relaxed }: Endpoint): void {
    const { headers, method, url } = context.request;
    // In-process requests have no Host header, but a complete URL.
    context.origin = this.#tools.origins.ofHost(headers.get('host') ?? new URL(url).host);
    context.proxyUser = this.#tools.proxyUsers.userOf(context.peer, headers);
    const isUnsafe = method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS';
    const readers = relaxed?.readers;
    refuseCrossOrigin({ headers, own: context.origin, isGuarded: isUnsafe || isStream, isUnsafe, readers });
    context.query = readQuery(url, isUnsafe ? [] : relaxed?.credentialsInUrl);
  }

  #answerError(context: RequestContext, thrown: unknown, { hasPlainErrors }: Endpoint): Response {
    const error = expectedError(thrown);
    const problem = problemOf(error, context.requestId, this.#tools.statuses);
    const headers = problemHeaders(problem);
    if (problem.status === 401 && context.request.headers.get('authorization') !== null) {
      headers['www-authenticate'] += ', error="invalid_token"';
    }
    if (problem.status === 408 || problem.status === 413) headers['connection'] = 'close';
    if (problem.status >= 500 && this.#shouldLog(problem)) {
      context.log.error({ err: thrown, route: context.template }, error.message);
    }
    if (hasPlainErrors === true) headers['content-type'] = 'text/plain; charset=utf-8';
    const body = hasPlainErrors === true ? problem.detail : problemText(problem);
    const rendered = { status: problem.status, headers, body };
    return responseOf(rendered, context.security, context.requestId);
  }

  /** Logs an unavailable service at most once per minute, because every open page retries. */
  #shouldLog({ status, code }: Problem): boolean {
    return status !== 503 || this.#throttle.allows(code);
  }

  #observe(context: RequestContext, status: number): void {
    const { method } = context.request;
    const elapsedMs = performance.now() - context.startedAt;
    this.#tools.metrics.requestEnded(method, context.template, status, elapsedMs / SECOND);
    if (!this.#log.isLevelEnabled('info')) return;
    // Logs only these fields: no URL, query, headers or bodies.
    this.#log.info(
      {
        request_id: context.requestId,
        method,
        route: context.template,
        status,
        duration_ms: Math.round(elapsedMs * 1_000) / 1_000,
        user_id: context.principal?.userId,
      },
      'request',
    );
  }
}
