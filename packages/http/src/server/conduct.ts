import { OnceInAWhile, SECOND } from '@holdfast/base';
import type { Context } from 'hono';
import type { Logger } from 'pino';

import { refuseCrossOrigin } from '../guards/cross-origin.ts';
import type { Origins } from '../guards/origins.ts';
import type { Metrics } from '../observe/metrics.ts';
import { expectedError, type Problem, problemHeaders, problemOf, problemText } from '../problems/problem.ts';
import type { Statuses } from '../problems/status.ts';
import { readQuery } from '../request/query.ts';
import { responseOf } from '../response/rendered.ts';
import type { MaybePromise } from './settle.ts';
import { Visit, type VisitTools } from './visit.ts';

/** Something that answers: a route, a raw application, the site. */
export interface Endpoint {
  /** What logs and metrics call it. */
  readonly template: string;
  /** True when it answers with a stream of events. */
  readonly isStream: boolean;
  /** Throws, or rejects, with what becomes problem details. */
  respond(visit: Visit): MaybePromise<Response>;
}

export interface ConductTools extends VisitTools {
  readonly origins: Origins;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly statuses: Statuses | undefined;
}

/**
 * What happens to every request, whatever answers it: a request id, the Host and Origin checks, problem details for
 * whatever is thrown, one log line and one observation. There is no way to an endpoint that does not lead through here.
 */
export class Conduct {
  readonly #tools: ConductTools;
  /** Looking for secrets in fields that were chosen one by one would cost more than all the rest of the line. */
  readonly #log: Logger;
  readonly #told = new OnceInAWhile();

  constructor(tools: ConductTools) {
    this.#tools = tools;
    this.#log = tools.logger.child({}, { redact: [] });
  }

  handle(endpoint: Endpoint, context: Context): MaybePromise<Response> {
    const visit = new Visit(context, endpoint.template, this.#tools);
    this.#tools.metrics.requestStarted();
    const fail = (thrown: unknown): Response => this.#finish(visit, this.#answerError(visit, thrown));
    let response: MaybePromise<Response>;
    try {
      this.#guard(visit, endpoint);
      response = endpoint.respond(visit);
    } catch (thrown) {
      return fail(thrown);
    }
    return response instanceof Promise
      ? response.then((settled) => this.#finish(visit, settled), fail)
      : this.#finish(visit, response);
  }

  #finish(visit: Visit, response: Response): Response {
    this.#observe(visit, response.status);
    // The router answers HEAD with the headers of GET; nobody would ever read, or end, a body that streams.
    if (visit.request.method === 'HEAD') void response.body?.cancel();
    return response;
  }

  #guard(visit: Visit, { isStream }: Endpoint): void {
    const { headers, method, url } = visit.request;
    // Requests made inside the process have no Host header, but a whole address.
    visit.origin = this.#tools.origins.ofHost(headers.get('host') ?? new URL(url).host);
    const isUnsafe = method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS';
    refuseCrossOrigin({ headers, own: visit.origin, isGuarded: isUnsafe || isStream, isUnsafe });
    visit.query = readQuery(url);
  }

  #answerError(visit: Visit, thrown: unknown): Response {
    const error = expectedError(thrown);
    const problem = problemOf(error, visit.requestId, this.#tools.statuses);
    const headers = problemHeaders(problem);
    if (problem.status === 401 && visit.request.headers.get('authorization') !== null) {
      headers['www-authenticate'] += ', error="invalid_token"';
    }
    if (problem.status === 408 || problem.status === 413) headers['connection'] = 'close';
    if (problem.status >= 500 && this.#isNews(problem)) {
      visit.log.error({ err: thrown, route: visit.template }, error.message);
    }
    const rendered = { status: problem.status, headers, body: problemText(problem) };
    return responseOf(rendered, visit.security, visit.requestId);
  }

  /** What is away is asked for again and again, by every open page: once a minute is enough to be told. */
  #isNews({ status, code }: Problem): boolean {
    return status !== 503 || this.#told.isNews(code);
  }

  #observe(visit: Visit, status: number): void {
    const { method } = visit.request;
    const elapsedMs = performance.now() - visit.startedAt;
    this.#tools.metrics.requestEnded(method, visit.template, status, elapsedMs / SECOND);
    if (!this.#log.isLevelEnabled('info')) return;
    // An allow-list: the address, its query, headers and bodies are not in it.
    this.#log.info(
      {
        request_id: visit.requestId,
        method,
        route: visit.template,
        status,
        duration_ms: Math.round(elapsedMs * 1_000) / 1_000,
        user_id: visit.principal?.userId,
      },
      'request',
    );
  }
}
