import type { ErrorFactory } from '@holdfast/base';
import type { AnyOperation } from '@holdfast/operation';
import type { z } from 'zod';

/**
 * A route as data: input, output and permission. The same data validates requests, generates OpenAPI, types the client
 * and drives the permission test, so these cannot disagree.
 */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * There is no default: public routes must say `public`. Any other value names a permission, for example `app:np:read`.
 */
export type Permission = 'public' | `${string}:${string}`;

export interface RequestShape {
  /** Defaults to a non-empty string for each `{name}` in the path. */
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  /** Lower-case names; handlers see only these headers. */
  readonly headers?: z.ZodObject;
  /** A JSON body. */
  readonly body?: z.ZodType;
  /** A body that is not JSON. */
  readonly upload?: UploadShape;
}

export type ResponseShapes = Readonly<Record<number, ResponseShape>>;

interface RouteLimits {
  readonly bodyBytes?: number;
  readonly timeoutMs?: number;
}

export interface RouteContract<
  M extends Method = Method,
  Path extends string = string,
  Access extends Permission = Permission,
  Request extends RequestShape = RequestShape,
  Responses extends ResponseShapes = ResponseShapes,
> {
  readonly method: M;
  /** Below the application's base path: `/plans/{id}`; `{rest+}` at the end takes several segments. */
  readonly path: Path;
  readonly permission: Access;
  readonly summary: string;
  readonly description?: string;
  /** Defaults to application, method and path. */
  readonly operationId?: string;
  readonly request?: Request;
  readonly responses: Responses;
  /** Errors specific to this route, for the documentation. */
  readonly errors?: readonly ErrorFactory[];
  /**
   * Accepts an Idempotency-Key: a repeated request gets the stored answer. Must be false for routes with secrets,
   * because the whole answer and a hash of the request are stored.
   */
  readonly idempotent?: boolean;
  /** Standard headers that the handler honours; for the documentation. */
  readonly acceptsHeaders?: readonly StandardHeader[];
  readonly limits?: RouteLimits;
  /** Operation that the route runs; read by the test that checks all operations. */
  readonly operation?: AnyOperation;
}

export type StandardHeader = 'If-Match' | 'If-None-Match' | 'If-Range' | 'Range' | 'Prefer' | 'Idempotency-Key';

/** The names between braces: `/plans/{id}/files/{rest+}` → `'id' | 'rest'`. */
export type PathNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Bare}+` ? Bare : Name) | PathNames<Rest>
  : never;

type Part<Request, Key extends string> = Request extends { readonly [K in Key]: infer Schema extends z.ZodType }
  ? Schema
  : never;

type Output<Request, Key extends string, Otherwise> = [Part<Request, Key>] extends [never]
  ? Otherwise
  : z.output<Part<Request, Key>>;

/** The request after validation. */
export interface Validated<Path extends string, Request extends RequestShape> {
  readonly params: Output<Request, 'params', Readonly<Record<PathNames<Path>, string>>>;
  readonly query: Output<Request, 'query', undefined>;
  readonly headers: Output<Request, 'headers', undefined>;
  readonly body: Output<Request, 'body', undefined>;
}

export interface ReplyExtras {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** `Set-Cookie` values, made by a cookie jar. */
  readonly cookies?: readonly string[] | undefined;
  /** From `revisionTag` or `contentTag`; GET requests with If-None-Match then get 304 automatically. */
  readonly etag?: string | undefined;
}

/** Makes all fields readonly, so that handlers can return immutable data. */
type Unchanging<T> = T extends object ? { readonly [Key in keyof T]: Unchanging<T[Key]> } : T;

type ReplyWith<Status, Shape> = Shape extends z.ZodType
  ? ReplyExtras & { readonly status: Status; readonly body: Unchanging<z.input<Shape>> }
  : Shape extends NothingShape
    ? ReplyExtras & { readonly status: Status }
    : Shape extends EventsShape | BytesShape
      ? Response
      : never;

/** A reply with one of the declared statuses and its body. */
export type ReplyOf<Responses extends ResponseShapes> = {
  [Status in keyof Responses]: ReplyWith<Status, Responses[Status]>;
}[keyof Responses];

/** The content of a response. A zod schema means JSON; the others are `events`, `bytes` and `nothing`. */
export type ResponseShape = z.ZodType | EventsShape | BytesShape | NothingShape;

interface EventsShape<Data extends z.ZodType = z.ZodType> {
  readonly carries: 'events';
  readonly data: Data;
}

interface BytesShape {
  readonly carries: 'bytes';
  /** Content types, or ranges such as `image/*`. */
  readonly types: readonly string[];
}

export interface NothingShape {
  readonly carries: 'nothing';
}

/** A stream of server-sent events, each described by `data`. The handler returns `sse(…)`. */
export function events<const Data extends z.ZodType>(data: Data): EventsShape<Data> {
  return { carries: 'events', data };
}

/** Anything that is not JSON: the handler returns a `Response`. */
export function bytes(...types: readonly string[]): BytesShape {
  return { carries: 'bytes', types };
}

/** No body: 204 or a redirect. */
export const nothing: NothingShape = { carries: 'nothing' };

export function isSchema(shape: ResponseShape): shape is z.ZodType {
  return '_zod' in shape;
}

/** A request body that is not JSON, passed to the handler as a limited stream. */
export interface UploadShape {
  readonly types: readonly string[];
  readonly limitBytes: number;
}
