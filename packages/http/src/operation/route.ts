/** Binds operations to routes: method, path and status are said here, everything else comes from the operation. */
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
import type { Method, PathNames, Permission, ReplyExtras, RouteContract } from '../routes/contract.ts';
import { pathNames } from '../routes/path.ts';
import type { HandlerInput, Route } from '../routes/route.ts';
import { nothing } from '../routes/shapes.ts';
import { zodObject, zodOf } from './zod.ts';

type Status = 200 | 201 | 202 | 204;

/** What only HTTP knows about an operation. Fields named in the path come from there, the others from query or body. */
export interface RouteBinding<M, Path, Input extends Fields, Output extends Field, Omitted, S> extends Pick<
  RouteContract,
  'description' | 'operationId' | 'idempotent' | 'acceptsHeaders' | 'limits'
> {
  readonly method: M;
  readonly path: Path;
  /** 200 unless said otherwise; 204 where the operation has no output. */
  readonly status?: S;
  /** Address of what was created. */
  readonly location?: (output: ValueOf<Output>, request: BoundRequest) => string;
  /** Fields that the client does not send: `from` or the operation's default gives them. */
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
type RequestFor<M extends Method, Path extends string, Input, Omitted> = [keyof Rest<Path, Input, Omitted>] extends [
  never,
]
  ? object
  : M extends 'GET' | 'DELETE'
    ? { readonly query: Sent<Rest<Path, Input, Omitted>> }
    : { readonly body: Sent<Rest<Path, Input, Omitted>> };

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
    const S extends Status = 200,
  >(
    operation: Operation<App, Input, Output, Access>,
    binding: RouteBinding<M, Path, Input, Output, Omitted, S>,
  ): Route<M, Path, Access, RequestFor<M, Path, Input, Omitted>, ResponsesFor<S, Output>> {
    const { method, path, location, omit = [], from, extras, status, ...contract } = binding;
    const code = status ?? (location === undefined ? 200 : 201);
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
      request: requestOf(operation.input, method, path, omit),
      responses: { [code]: code === 204 ? nothing : zodOf(operation.output, 'reply') },
      ...(errors === undefined ? {} : { errors }),
      handler,
    } as unknown as Route<M, Path, Access, RequestFor<M, Path, Input, Omitted>, ResponsesFor<S, Output>>;
  };
}

function requestOf(input: Fields, method: Method, path: string, omit: readonly string[]): RouteContract['request'] {
  const named = new Set(pathNames(path));
  const rest = Object.entries(input).filter(([name]) => !named.has(name) && !omit.includes(name));
  const params = [...named].map((name) => [name, input[name] ?? ({ kind: 'text', min: 1 } as const)] as const);
  const isInAddress = method === 'GET' || method === 'DELETE';
  return {
    ...(params.length === 0 ? {} : { params: zodObject(Object.fromEntries(params), 'query') }),
    ...(rest.length === 0
      ? {}
      : isInAddress
        ? { query: zodObject(Object.fromEntries(rest), 'query') }
        : { body: zodObject(Object.fromEntries(rest), 'body') }),
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
