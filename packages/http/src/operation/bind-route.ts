/** Binds operations to routes. A binding adds method, path and status; everything else comes from the operation. */
import {
  type Caller,
  type Field,
  type Fields,
  type GivenObject,
  type ObjectValue,
  type Operation,
  runOperation,
  type ValueOf,
} from '@holdfast/operation';
import type { z } from 'zod';

import type { Principal } from '../request/principal.ts';
import {
  type Method,
  nothing,
  type PathNames,
  type Permission,
  type ReplyExtras,
  type RouteContract,
} from '../routes/contract.ts';
import { pathNames } from '../routes/path.ts';
import type { HandlerInput, Route } from '../routes/route.ts';
import { zodObject, zodOf } from './zod.ts';

type Status = 200 | 201 | 202 | 204;

/**
 * Settings of one route that its operation does not define. Path fields come from the path, others from query or body.
 */
export interface RouteBinding<M, Path, Input extends Fields, Output extends Field, Omitted, Queried, S> extends Pick<
  RouteContract,
  'description' | 'operationId' | 'idempotent' | 'acceptsHeaders' | 'limits'
> {
  readonly method: M;
  readonly path: Path;
  /** Defaults to 200, or 204 without output. `choose` picks one of several. */
  readonly status?: S | readonly S[];
  readonly choose?: (output: ValueOf<Output>) => S;
  /** Fields that come from the query although the request has a body. */
  readonly query?: readonly Queried[];
  /** Address of the created resource. */
  readonly location?: (output: ValueOf<Output>, request: BoundRequest) => string;
  /** Fields that clients do not send; `from` or the operation's default provides them. */
  readonly omit?: readonly Omitted[];
  /** Reads fields from the request itself, for example from headers or the account. */
  readonly from?: (request: BoundRequest) => Partial<ObjectValue<Input>>;
  readonly extras?: (output: ValueOf<Output>, request: BoundRequest) => ReplyExtras;
}

export type BoundRequest = Omit<HandlerInput, 'params' | 'query' | 'body' | 'principal'> & {
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
  /** Undefined on public routes only. */
  readonly principal: Principal | undefined;
};

type Rest<Path extends string, Input, Omitted> = Omit<Input, PathNames<Path> | (Omitted & PropertyKey)>;

type Sent<F> = z.ZodType<ObjectValue<F>, GivenObject<F>>;

/** The request as the typed client sees it. */
type RequestFor<M extends Method, Path extends string, Input, Omitted, Queried> = M extends 'GET' | 'DELETE'
  ? QueryOf<Rest<Path, Input, Omitted>>
  : QueryOf<Pick<Rest<Path, Input, Omitted>, Queried & keyof Rest<Path, Input, Omitted>>> &
      BodyOf<Omit<Rest<Path, Input, Omitted>, Queried & PropertyKey>>;

type QueryOf<F> = [keyof F] extends [never] ? object : { readonly query: Sent<F> };
type BodyOf<F> = [keyof F] extends [never] ? object : { readonly body: Sent<F> };

type ResponsesFor<S extends number, Output> = {
  readonly [Code in S]: Code extends 204 ? typeof nothing : z.ZodType<ValueOf<Output>>;
};

/** `const route = routesFor<Ringmaster>(open); route(addTask, { method: 'POST', path: '/tasks', … })`. */
export function routesFor<App>(open: (request: BoundRequest) => App | Promise<App>) {
  return function route<
    Input extends Fields,
    Output extends Field,
    Access extends Permission,
    const M extends Method,
    const Path extends string,
    const Omitted extends keyof Input & string = never,
    const Queried extends keyof Input & string = never,
    const S extends Status = 200,
  >(
    operation: Operation<App, Input, Output, Access>,
    binding: RouteBinding<M, Path, Input, Output, Omitted, Queried, S>,
  ): Route<M, Path, Access, RequestFor<M, Path, Input, Omitted, Queried>, ResponsesFor<S, Output>> {
    const { method, path, location, omit = [], query = [], from, extras, status, choose, ...contract } = binding;
    const codes = [status ?? (location === undefined ? 200 : 201)].flat() as readonly Status[];
    const handler = async (request: BoundRequest): Promise<unknown> => {
      const app = await open(request);
      const given = {
        ...inPath(operation.input, request.params),
        ...(request.query as object),
        ...(request.body as object),
      };
      const output = await runOperation(
        operation,
        app,
        { ...given, ...from?.(request) },
        callerOf(request, method, path),
      );
      const more = extras?.(output, request) ?? {};
      const code = choose?.(output) ?? codes[0];
      const headers =
        location === undefined ? {} : { headers: { ...more.headers, location: location(output, request) } };
      return code === 204 ? { ...more, status: code } : { ...more, ...headers, status: code, body: output };
    };
    const { name: _name, summary, permission, errors } = operation;
    return {
      ...contract,
      ...(operation.description === undefined ? {} : { description: operation.description }),
      method,
      path,
      permission,
      summary,
      operation,
      request: requestOf(operation.input, method, path, { omit, query }),
      responses: Object.fromEntries(
        codes.map((code) => [code, code === 204 ? nothing : zodOf(operation.output, 'reply')]),
      ),
      ...(errors === undefined ? {} : { errors }),
      handler,
    } as unknown as Route<M, Path, Access, RequestFor<M, Path, Input, Omitted, Queried>, ResponsesFor<S, Output>>;
  };
}

function requestOf(
  input: Fields,
  method: Method,
  path: string,
  { omit, query }: { readonly omit: readonly string[]; readonly query: readonly string[] },
): RouteContract['request'] {
  const named = new Set(pathNames(path));
  const rest = Object.entries(input).filter(([name]) => !named.has(name) && !omit.includes(name));
  const params = [...named].map((name) => [name, input[name] ?? ({ kind: 'text', min: 1 } as const)] as const);
  const hasBody = method !== 'GET' && method !== 'DELETE';
  const queried = rest.filter(([name]) => !hasBody || query.includes(name));
  const sent = rest.filter(([name]) => hasBody && !query.includes(name));
  return {
    ...(params.length === 0 ? {} : { params: zodObject(Object.fromEntries(params), 'query') }),
    ...(queried.length === 0 ? {} : { query: zodObject(Object.fromEntries(queried), 'query') }),
    ...(sent.length === 0 ? {} : { body: zodObject(Object.fromEntries(sent), 'body') }),
  };
}

function inPath(input: Fields, params: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(params).filter(([name]) => Object.hasOwn(input, name)));
}

function callerOf(request: BoundRequest, method: Method, path: string): Caller {
  const { principal, idempotencyKey, signal } = request;
  return {
    name: principal?.name ?? 'nobody',
    via: `${method} ${path}`,
    face: 'http',
    userId: principal?.userId,
    permissions: principal?.permissions === undefined ? undefined : [...principal.permissions],
    idempotencyKey,
    signal,
  };
}
