import {
  createServer as createPlain,
  type IncomingMessage,
  type Server as NodeServer,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { createServer as createTls } from 'node:https';
import { type AddressInfo, isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

import { KIBIBYTE, MINUTE, SECOND } from '@holdfast/base';
import { getRequestListener } from '@hono/node-server';

import { httpErrors } from '../errors.ts';
import { PROBLEM_TYPE, problemHeaders, problemOf, problemText } from '../problems/problem.ts';
import { requestIdOf } from '../request/request-id.ts';
import { responseOf } from '../response/render.ts';
import { securityHeaders } from '../response/security-headers.ts';
import type { Server } from './server.ts';

/** Limits for each connection, against clients that keep a socket open without using it. */
export interface SocketLimits {
  readonly headerBytes: number;
  readonly headersTimeoutMs: number;
  /** Time for a whole request to arrive, including an upload. */
  readonly requestTimeoutMs: number;
  /** Time for the rest of a request body to arrive after the request was answered. */
  readonly unreadBodyMs: number;
  /** Time an idle connection waits for the next request. */
  readonly keepAliveTimeoutMs: number;
  /** Time without traffic after which a connection is closed; affects clients that do not read their response. */
  readonly idleTimeoutMs: number;
  /** Interval at which Node checks the timeouts of headers and requests. */
  readonly checkEveryMs: number;
  readonly connectionsMax: number;
}

const defaultSocketLimits: SocketLimits = {
  headerBytes: 16 * KIBIBYTE,
  headersTimeoutMs: 10 * SECOND,
  requestTimeoutMs: 5 * MINUTE,
  unreadBodyMs: 5 * SECOND,
  keepAliveTimeoutMs: 10 * SECOND,
  idleTimeoutMs: 2 * MINUTE,
  checkEveryMs: SECOND,
  connectionsMax: 10_000,
};

export interface ListenOptions {
  /** Defaults to 127.0.0.1. */
  readonly host?: string;
  /** 0 picks a free port. */
  readonly port: number;
  readonly tls?: TlsFiles;
  readonly sockets?: Partial<SocketLimits>;
}

export interface Listening {
  readonly host: string;
  readonly port: number;
  /** URL for a browser: `http://127.0.0.1:4870`. */
  readonly url: string;
  /** Stops accepting connections, finishes requests, ends streams; destroys remaining connections at the deadline. */
  close(deadlineMs?: number): Promise<CloseReport>;
  [Symbol.asyncDispose](): Promise<void>;
}

const CLOSE_DEADLINE_MS = 10 * SECOND;

export async function listen(server: Server, options: ListenOptions): Promise<Listening> {
  const { host = '127.0.0.1', port: wanted, tls } = options;
  refuseUnprotected(server, host, tls !== undefined);
  const node = nodeServer(server, { ...defaultSocketLimits, ...options.sockets }, tls);
  if (!isLoopback(host) && tls === undefined) talkOnlyToProxies(node, server);
  const port = await bind(node, host, wanted);
  const origins = ownOrigins(host, port, tls !== undefined);
  for (const origin of origins) server.origins.add(origin);
  let closing: Promise<CloseReport> | undefined;
  const close = (deadlineMs: number = CLOSE_DEADLINE_MS): Promise<CloseReport> => {
    closing ??= shutDown(node, server, deadlineMs);
    return closing;
  };
  return {
    host,
    port,
    url: origins[0] ?? '',
    close,
    [Symbol.asyncDispose]: async () => {
      await close();
    },
  };
}

function bind(node: NodeServer, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException): void => reject(listenError(error, host, port));
    node.once('error', fail);
    node.listen({ host, port, exclusive: true }, () => {
      node.off('error', fail);
      resolve((node.address() as AddressInfo).port);
    });
  });
}

/** Accepts connections only from trusted proxies. Used for plain HTTP on an address that other machines can reach. */
function talkOnlyToProxies(node: NodeServer, server: Server): void {
  node.on('connection', (socket: Socket) => {
    const peer = socket.remoteAddress ?? '';
    if (!server.proxies.has(peer)) socket.destroy();
  });
}

const WILDCARDS: ReadonlySet<string> = new Set(['0.0.0.0', '::', '']);

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

/** Allows plain HTTP only on loopback or behind a trusted proxy; then only that proxy may connect. */
function refuseUnprotected(server: Server, host: string, hasTls: boolean): void {
  if (isLoopback(host)) return;
  if (!hasTls && server.proxies.isEmpty) {
    throw httpErrors.LISTEN_UNPROTECTED(`Other machines could reach ${host || 'every address'} without encryption`);
  }
  if (WILDCARDS.has(host) && server.origins.all.length === 0) {
    throw httpErrors.ORIGIN_INVALID(
      'Listening on every address requires an origin: pass --origin with the URL that browsers use',
    );
  }
}

/** Returns the origins implied by the address. Loopback names also work if the server listens on all addresses. */
function ownOrigins(host: string, port: number, hasTls: boolean): readonly string[] {
  const names = isLoopback(host) || WILDCARDS.has(host) ? ['127.0.0.1', 'localhost', '[::1]'] : [];
  if (!WILDCARDS.has(host)) names.unshift(bracketed(host));
  return [...new Set(names)].map((name) => new URL(`${hasTls ? 'https' : 'http'}://${name}:${port}`).origin);
}

function bracketed(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}

function listenError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE')
    return httpErrors.PORT_TAKEN(`Port ${port} on ${host} is already in use`, { cause: error });
  if (error.code === 'EACCES')
    return httpErrors.PORT_FORBIDDEN(`Not allowed to listen on port ${port}`, { cause: error });
  return httpErrors.ADDRESS_UNAVAILABLE(`Cannot listen on ${host}, port ${port}`, { cause: error });
}

interface TlsFiles {
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
}

/**
 * Configures a Node server with limits; it does not listen yet. After an answer, a connection has a deadline for its
 * next request. Node's own limits are not enough, because they restart with each byte of an unread body and each empty
 * line.
 */
function nodeServer(server: Server, limits: SocketLimits, tls: TlsFiles | undefined): NodeServer {
  const listener = getRequestListener((request, env) => server.fetch(request, env), { errorHandler: malformed });
  const options: ServerOptions = {
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: limits.checkEveryMs,
  };
  const deadlines = new WeakMap<Socket, NodeJS.Timeout>();
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    clearTimeout(deadlines.get(socket));
    response.once('finish', () => {
      const ms = request.complete ? limits.keepAliveTimeoutMs + limits.headersTimeoutMs : limits.unreadBodyMs;
      deadlines.set(socket, setTimeout(() => socket.destroy(), ms).unref());
    });
    void listener(request, response);
  };
  const node =
    tls === undefined
      ? createPlain(options, onRequest)
      : createTls({ ...options, ...tls, minVersion: 'TLSv1.2' }, onRequest);
  node.maxConnections = limits.connectionsMax;
  node.setTimeout(limits.idleTimeoutMs);
  node.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) =>
    upgrade(server, request, socket, head),
  );
  node.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => answerClientError(error, socket));
  return node;
}

/** Passes a WebSocket to the application at its path. Checks Host and Origin as for requests. */
function upgrade(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const path = (request.url ?? '').split('?')[0];
  const found = server.upgrades.find((each) => each.path === path);
  const { host, origin } = request.headers;
  try {
    const own = server.origins.ofHost(host);
    if (found !== undefined && (origin === undefined || origin === own || found.origins.includes(origin))) {
      server.upgraded.add(socket);
      socket.once('close', () => server.upgraded.delete(socket));
      return found.accept(request, socket, head, server.streams);
    }
  } catch {
    // The server does not know the Host.
  }
  socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
}

/** Answers a request without a valid URL, which does not reach our server. */
function malformed(error: unknown): Response {
  const cause = httpErrors.REQUEST_MALFORMED('The server does not understand this request', { cause: error });
  const problem = problemOf(cause, requestIdOf(new Headers()));
  const headers = { ...problemHeaders(problem), connection: 'close' };
  const rendered = { status: problem.status, headers, body: problemText(problem) };
  return responseOf(rendered, securityHeaders(false), problem.request_id);
}

const STATUS_LINES: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
};

/** Answers input that Node's parser rejects: writes the response directly to the socket, then closes the socket. */
function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const line = STATUS_LINES[error.code ?? ''] ?? '400 Bad Request';
  const failure = httpErrors.REQUEST_MALFORMED(`The server rejected the request: ${line.slice(4).toLowerCase()}`);
  const body = problemText({ ...problemOf(failure, requestIdOf(new Headers())), status: Number(line.slice(0, 3)) });
  const headers = `Content-Type: ${PROBLEM_TYPE}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nX-Content-Type-Options: nosniff`;
  socket.end(`HTTP/1.1 ${line}\r\n${headers}\r\nConnection: close\r\n\r\n${body}`);
}

interface CloseReport {
  /** Number of busy connections that were destroyed at the deadline. */
  readonly cut: number;
}

const SWEEP_EVERY_MS = 25;

/**
 * Stops accepting connections, ends streams, finishes requests and closes each connection as soon as it is idle.
 * Destroys the remaining connections at the deadline.
 */
async function shutDown(node: NodeServer, server: Server, deadlineMs: number): Promise<CloseReport> {
  server.drain();
  // Tells clients not to reuse connections, because that would delay the shutdown.
  node.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    response.setHeader('connection', 'close');
  });
  const closed = new Promise<void>((resolve) => {
    node.close(() => resolve());
  });
  const sweep = (): void => {
    server.streams.closeAll();
    for (const socket of server.upgraded) socket.destroy();
    node.closeIdleConnections();
  };
  sweep();
  const sweeping = setInterval(sweep, SWEEP_EVERY_MS);
  let cut = 0;
  const cutAll = async (): Promise<void> => {
    cut = await connections(node);
    node.closeAllConnections();
  };
  const deadline = setTimeout(() => void cutAll(), deadlineMs);
  await closed;
  clearInterval(sweeping);
  clearTimeout(deadline);
  server.dispose();
  return { cut };
}

function connections(node: NodeServer): Promise<number> {
  return new Promise((resolve) => {
    node.getConnections((_error, count) => resolve(count));
  });
}
