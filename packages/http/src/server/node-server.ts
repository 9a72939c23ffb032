import { createServer as createPlain, type Server as NodeServer, type ServerOptions } from 'node:http';
import { createServer as createTls } from 'node:https';
import type { Socket } from 'node:net';

import { getRequestListener } from '@hono/node-server';

import { httpErrors } from '../errors.ts';
import { PROBLEM_TYPE, problemHeaders, problemOf, problemText } from '../problems/problem.ts';
import { requestIdOf } from '../request/request-id.ts';
import { responseOf } from '../response/rendered.ts';
import { securityHeaders } from '../response/security-headers.ts';
import type { Server } from './server.ts';
import type { SocketLimits } from './socket-limits.ts';

export interface TlsFiles {
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
}

/** Configures a Node server for ours, with limits; it does not listen yet. */
export function nodeServer(server: Server, limits: SocketLimits, tls: TlsFiles | undefined): NodeServer {
  const listener = getRequestListener((request, env) => server.fetch(request, env), { errorHandler: malformed });
  const options: ServerOptions = {
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: limits.checkEveryMs,
  };
  const node =
    tls === undefined
      ? createPlain(options, (request, response) => void listener(request, response))
      : createTls(
          { ...options, ...tls, minVersion: 'TLSv1.2' },
          (request, response) => void listener(request, response),
        );
  node.maxConnections = limits.connectionsMax;
  node.setTimeout(limits.idleTimeoutMs);
  node.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => answerClientError(error, socket));
  return node;
}

/** Called before our code when the request has no valid URL. */
function malformed(error: unknown): Response {
  const cause = httpErrors.REQUEST_MALFORMED('The request is not one that this server understands', { cause: error });
  const problem = problemOf(cause, requestIdOf(new Headers()));
  const headers = { ...problemHeaders(problem), connection: 'close' };
  const rendered = { status: problem.status, headers, body: problemText(problem) };
  return responseOf(rendered, securityHeaders(false), problem.request_id);
}

const STATUS_LINES: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
};

/** Answers input that Node's parser rejects on the bare socket, and closes it. */
function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const line = STATUS_LINES[error.code ?? ''] ?? '400 Bad Request';
  const failure = httpErrors.REQUEST_MALFORMED(`The request was refused: ${line.slice(4).toLowerCase()}`);
  const body = problemText({ ...problemOf(failure, requestIdOf(new Headers())), status: Number(line.slice(0, 3)) });
  const headers = `Content-Type: ${PROBLEM_TYPE}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nX-Content-Type-Options: nosniff`;
  socket.end(`HTTP/1.1 ${line}\r\n${headers}\r\nConnection: close\r\n\r\n${body}`);
}
