import { type ErrorKind, HoldfastError } from '@holdfast/base';
import { type AnyOperation, inputOf } from '@holdfast/operation';

import { httpErrors } from '../errors.ts';
import { createClient, ProblemError } from './index.ts';

/** Method and path of an operation's route. */
export interface RouteAddress {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
}

export interface RemoteCall {
  /** Address of the application, such as `https://holdfast.example/api/np`. */
  readonly baseUrl: string;
  readonly token: string | undefined;
  /** Path parameters that are not input fields. */
  readonly params?: Readonly<Record<string, string>>;
  /** Query parameters that are not input fields. */
  readonly query?: Readonly<Record<string, string>>;
  readonly fetch?: typeof fetch;
}

type Fields = Readonly<Record<string, unknown>>;
type LooseMethod = (path: string, input: object) => Promise<{ readonly data: unknown }>;

/**
 * Runs any operation on a server, through its route. Checks the input first, as `runOperation` does, and throws errors
 * with the same codes and kinds as a local run.
 */
export async function runRemotely(operation: AnyOperation, place: RouteAddress, given: unknown, call: RemoteCall) {
  const input = inputOf(operation, given) as Fields;
  const inPath = new Set([...place.path.matchAll(/\{(\w+)\}/gu)].map(([, name]) => name ?? ''));
  const picked = (isWanted: (name: string) => boolean): Fields =>
    Object.fromEntries(Object.entries(input).filter(([name, value]) => value !== undefined && isWanted(name)));
  const rest = picked((name) => !inPath.has(name));
  const hasBody = place.method !== 'GET' && place.method !== 'DELETE';
  const client = createClient(call.baseUrl, call.fetch) as unknown as Readonly<Record<string, LooseMethod>>;
  try {
    const { data } = await client[place.method]!(place.path, {
      params: { ...picked((name) => inPath.has(name)), ...call.params },
      query: { ...call.query, ...(hasBody ? {} : rest) },
      ...(hasBody ? { body: rest } : {}),
      headers: call.token === undefined ? {} : { authorization: `Bearer ${call.token}` },
    });
    return data ?? {};
  } catch (error) {
    throw error instanceof ProblemError ? toLocalError(error, operation, call.baseUrl) : error;
  }
}

const TOKEN_HINT = 'Set HOLDFAST_TOKEN to a valid token; `holdfast token create` on the server creates one.';

const kindByStatus: ReadonlyMap<number, ErrorKind> = new Map([
  [404, 'not_found'],
  [409, 'conflict'],
  [412, 'conflict'],
  [429, 'unavailable'],
  [500, 'failed'],
]);

function toLocalError(error: ProblemError, { errors = [] }: AnyOperation, baseUrl: string): Error {
  const { status, code, message, problem } = error;
  if (status === 0) {
    return httpErrors.SERVER_UNREACHABLE(`${new URL(baseUrl).origin} does not answer`, { cause: error.cause });
  }
  const known = errors.find((each) => each.code === code);
  const kind = known?.definition.kind ?? kindByStatus.get(status) ?? (status >= 500 ? 'unavailable' : 'usage');
  const details = problem.details === undefined ? {} : { details: problem.details };
  const hint = status === 401 ? TOKEN_HINT : error.hint;
  return new HoldfastError(code, { kind, means: '', hint }, message, details);
}
