import type { z } from 'zod';

import type {
  Method,
  NothingShape,
  PathNames,
  RequestShape,
  ResponseShapes,
  RouteContract,
} from '../routes/contract.ts';

type Contracts = readonly RouteContract[];

type PathsOf<Routes extends Contracts, M extends Method> = Extract<Routes[number], { readonly method: M }>['path'];

type RouteAt<Routes extends Contracts, M extends Method, Path> = Extract<
  Routes[number],
  { readonly method: M; readonly path: Path }
>;

type Given<Request, Key extends string> = Request extends { readonly [K in Key]: infer Schema extends z.ZodType }
  ? z.input<Schema>
  : never;

/** The property is required if its schema has a required field, and forbidden if the route does not take it. */
type Field<Key extends string, Value> = [Value] extends [never]
  ? { readonly [K in Key]?: undefined }
  : object extends Value
    ? { readonly [K in Key]?: Value }
    : { readonly [K in Key]: Value };

type Params<Path extends string, Request> = [PathNames<Path>] extends [never]
  ? never
  : [Given<Request, 'params'>] extends [never]
    ? Readonly<Record<PathNames<Path>, string | number>>
    : Given<Request, 'params'>;

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /**
   * ETag of the version that the client has read; the write fails with PRECONDITION_FAILED if the version is outdated.
   */
  readonly ifMatch?: string;
  /** ETag that the client knows; if it is current, the answer is 304 without data. */
  readonly ifNoneMatch?: string;
  readonly idempotencyKey?: string;
}

type CallInput<Path extends string, Request extends RequestShape> = CallOptions &
  Field<'params', Params<Path, Request>> &
  Field<'query', Given<Request, 'query'>> &
  Field<'body', Given<Request, 'body'>>;

/** One of the declared answers; everything else is thrown as a `ProblemError`. */
type CallAnswer<Responses extends ResponseShapes> = {
  [Status in keyof Responses]: {
    readonly status: Status;
    readonly data: Responses[Status] extends z.ZodType
      ? z.output<Responses[Status]>
      : Responses[Status] extends NothingShape
        ? undefined
        : Response;
    readonly etag: string | null;
  };
}[keyof Responses];

type InputOf<Route> =
  Route extends RouteContract<Method, infer Path, infer _Access, infer Request, infer _Responses>
    ? object extends CallInput<Path, Request>
      ? [input?: CallInput<Path, Request>]
      : [input: CallInput<Path, Request>]
    : never;

type AnswerOf<Route> = Route extends { readonly responses: infer Responses extends ResponseShapes }
  ? CallAnswer<Responses>
  : never;

export type Client<Routes extends Contracts> = {
  readonly [M in Method]: <Path extends PathsOf<Routes, M>>(
    path: Path,
    ...input: InputOf<RouteAt<Routes, M, Path>>
  ) => Promise<AnswerOf<RouteAt<Routes, M, Path>>>;
} & {
  /** The URL of a GET, for an EventSource, an image or a link. */
  readonly url: <Path extends PathsOf<Routes, 'GET'>>(
    path: Path,
    ...input: InputOf<RouteAt<Routes, 'GET', Path>>
  ) => string;
};
