import { isHoldfastError } from '@holdfast/base';
import { httpErrors, type RawEnvironment } from '@holdfast/http';
import { type Context, Hono } from 'hono';
import type { ClientIds } from '../../model/audiobookshelf/ids.ts';
import type { Catalogue } from '../../service/audiobookshelf/catalogue.ts';
import type { Clients } from '../../service/audiobookshelf/clients.ts';
import type { Browsing } from '../../service/audiobookshelf/library-items.ts';
import { type ClientUser, clientUser } from '../../service/audiobookshelf/sign-ins.ts';

/** A request from a client, signed in or not. */
export interface ClientRequest {
  readonly clients: Clients;
  readonly catalogue: Catalogue;
  readonly ids: ClientIds;
  readonly request: Request;
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The JSON body; an empty object if there is none. Handlers accept anything, because clients differ. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly environment: RawEnvironment;
}

/** A request from a client that has signed in. */
export interface UserRequest extends ClientRequest, Browsing, ClientUser {}

/** A string is sent as text, an object as JSON. */
type Answer = Response | string | object;

export interface ClientRoute {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly run: (request: ClientRequest) => Promise<Answer> | Answer;
}

type Method = ClientRoute['method'];

/** Defines a route that needs no credentials. */
export function open(method: Method, path: string, run: ClientRoute['run']): ClientRoute {
  return { method, path, run };
}

/** Defines a route that requires a bearer token. */
export function signedIn(
  method: Method,
  path: string,
  run: (request: UserRequest) => Promise<Answer> | Answer,
): ClientRoute {
  return { method, path, run: async (request) => run(await authenticated(request)) };
}

async function authenticated(request: ClientRequest): Promise<UserRequest> {
  const { clients, query, request: sent } = request;
  const header = /^Bearer\s+(\S{1,2000})$/iu.exec(sent.headers.get('authorization') ?? '')?.[1];
  // Old clients send the token in the URL when they download.
  const bearer = header ?? (sent.method === 'GET' ? query.get('token') : null);
  const found = bearer === null || bearer === undefined ? undefined : await clientUser(clients, bearer);
  if (found === undefined) throw httpErrors.UNAUTHENTICATED('Sign in, or send a valid token');
  return { ...request, ...found, audiobooks: clients.audiobooks };
}

const BODY_CHARACTERS_MAX = 1_000_000;

/**
 * Serves the routes while client access is enabled. Returns 404 for every other path below the base path, never an HTML
 * page.
 */
export function clientRouter(clients: Clients, catalogue: Catalogue, routes: readonly ClientRoute[]): Hono {
  const hono = new Hono();
  const handle = async (context: Context, run: ClientRoute['run']): Promise<Response> => {
    const ids = await clients.ids();
    if (ids === undefined) throw httpErrors.ROUTE_NOT_FOUND('There is nothing at this URL');
    const request: ClientRequest = {
      clients,
      catalogue,
      ids,
      request: context.req.raw,
      path: context.req.param(),
      query: new URL(context.req.url).searchParams,
      body: await bodyOf(context.req.raw),
      environment: context.env as RawEnvironment,
    };
    const answer = await run(request);
    if (answer instanceof Response) return answer;
    return typeof answer === 'string' ? context.text(answer) : context.json(answer);
  };
  for (const { method, path, run } of routes) hono.on(method, path, (context) => handle(context, run));
  hono.all('/*', () => {
    throw httpErrors.ROUTE_NOT_FOUND('There is nothing at this URL');
  });
  return hono;
}

async function bodyOf(request: Request): Promise<Readonly<Record<string, unknown>>> {
  if (request.method === 'GET' || request.method === 'HEAD') return {};
  const sent = await request.text();
  if (sent === '' || sent.length > BODY_CHARACTERS_MAX) return {};
  try {
    const parsed: unknown = JSON.parse(sent);
    if (Array.isArray(parsed)) return { list: parsed };
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Resolves with undefined if `work` fails with a not-found error. */
export async function ifFound<Value>(work: Promise<Value>): Promise<Value | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isHoldfastError(error) && error.kind === 'not_found') return undefined;
    throw error;
  }
}

export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, 10_000) : undefined;
}

/** Accepts numbers and text with a number. Some clients send fractions where others send integers. */
export function number(value: unknown): number | undefined {
  const read = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof read === 'number' && Number.isFinite(read) ? read : undefined;
}

export function wholeNumber(value: string | null, otherwise: number): number {
  const read = Number(value ?? otherwise);
  return Number.isInteger(read) && read >= 0 ? read : otherwise;
}
