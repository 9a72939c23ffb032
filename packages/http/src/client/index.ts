import type { Problem } from '../problems/problem.ts';
import type { RouteContract } from '../routes/contract.ts';
import type { CallOptions, Client } from './types.ts';

export type { Client } from './types.ts';

/** An error response from the server. If there was no response, the status is 0 and the code is `UNREACHABLE`. */
export class ProblemError extends Error {
  readonly status: number;
  readonly code: string;
  readonly hint: string;
  readonly requestId: string | undefined;
  readonly problem: Partial<Problem>;

  constructor(status: number, problem: Partial<Problem>, cause?: unknown) {
    super(problem.detail ?? `The server answered ${status}`, { cause });
    this.name = 'ProblemError';
    this.status = status;
    this.code = problem.code ?? 'INTERNAL';
    this.hint = problem.hint ?? '';
    this.requestId = problem.request_id;
    this.problem = problem;
  }
}

type Scalar = string | number | boolean | undefined;

/** Input without exact types; the public function's types have already checked it. */
interface LooseInput extends CallOptions {
  readonly params?: Readonly<Record<string, Scalar>>;
  readonly query?: Readonly<Record<string, Scalar | Scalar[]>>;
  readonly body?: unknown;
}

/**
 * A client for routes that are known only by their types, so that no server code reaches the browser.
 *
 * ```ts
 * const np = createClient<NpRoutes>('/api/np');
 * const { data } = await np.GET('/plans/{id}', { params: { id } });
 * ```
 */
export function createClient<Routes extends readonly RouteContract[]>(
  baseUrl: string,
  fetcher: typeof fetch = (input, init) => fetch(input, init),
): Client<Routes> {
  const url = (path: string, input: LooseInput = {}): string =>
    // The route `/` is the application's base path without a trailing slash.
    baseUrl + (path === '/' ? '' : filled(path, input.params)) + search(input.query);
  const call =
    (method: string) =>
    async (path: string, input: LooseInput = {}): Promise<unknown> => {
      const { body, signal } = input;
      const response = await fetcher(url(path, input), {
        method,
        headers: headersOf(input),
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(signal !== undefined && { signal }),
      }).catch(unreachable);
      const isKnown = response.ok || response.status === 304;
      if (!isKnown) throw new ProblemError(response.status, (await response.json().catch(() => ({}))) as object);
      return { status: response.status, data: await dataOf(response), etag: response.headers.get('etag') };
    };
  const methods = Object.fromEntries(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => [method, call(method)]));
  return { ...methods, url } as unknown as Client<Routes>;
}

function filled(path: string, params: LooseInput['params'] = {}): string {
  return path.replace(/\{(\w+)(\+?)\}/g, (_hole, name: string, rest: string) => {
    const value = String(params[name]);
    return (rest === '' ? [value] : value.split('/')).map(segment).join('/');
  });
}

/** Rejects empty text, `.` and `..`, because URL parsers resolve dot segments, even encoded ones. */
function segment(value: string): string {
  if (/^\.{0,2}$/.test(value)) throw new TypeError(`"${value}" cannot be used in a URL`);
  return encodeURIComponent(value);
}

function search(query: LooseInput['query'] = {}): string {
  const pairs = new URLSearchParams();
  for (const [name, values] of Object.entries(query)) {
    for (const value of [values].flat()) if (value !== undefined) pairs.append(name, String(value));
  }
  return pairs.size === 0 ? '' : `?${pairs.toString()}`;
}

function headersOf({ headers, body, ifMatch, ifNoneMatch, idempotencyKey }: LooseInput): Record<string, string> {
  return {
    accept: 'application/json',
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(ifMatch !== undefined && { 'if-match': ifMatch }),
    ...(ifNoneMatch !== undefined && { 'if-none-match': ifNoneMatch }),
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    ...headers,
  };
}

/** Returns parsed JSON, or the response itself for other content. */
async function dataOf(response: Response): Promise<unknown> {
  if (response.status === 204 || response.status === 304) return undefined;
  return response.headers.get('content-type')?.startsWith('application/json') === true ? response.json() : response;
}

/** Rethrows aborts; every other failure means that the server is unreachable. */
function unreachable(cause: unknown): never {
  if (cause instanceof Error && cause.name === 'AbortError') throw cause;
  const detail = 'The server cannot be reached';
  throw new ProblemError(
    0,
    { code: 'UNREACHABLE', detail, hint: 'Check that it is running; this page keeps trying.' },
    cause,
  );
}
