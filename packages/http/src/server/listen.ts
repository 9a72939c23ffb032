import type { Server as NodeServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

import { SECOND } from '@holdfast/base';

import { isLoopback, listenError, ownOrigins, refuseUnprotected } from './listen-rules.ts';
import { nodeServer, type TlsFiles } from './node-server.ts';
import type { Server } from './server.ts';
import { defaultSocketLimits, type SocketLimits } from './socket-limits.ts';
import { type CloseReport, shutDown } from './shut-down.ts';

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
  /** Stops accepting connections, finishes requests, ends streams, and cuts the rest at the deadline. */
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

/** Over plain HTTP beyond this machine, only the proxy may connect. */
function talkOnlyToProxies(node: NodeServer, server: Server): void {
  node.on('connection', (socket: Socket) => {
    const peer = socket.remoteAddress ?? '';
    if (!server.proxies.has(peer)) socket.destroy();
  });
}
