import type { IncomingMessage, Server as NodeServer, ServerResponse } from 'node:http';

import type { Server } from './server.ts';

export interface CloseReport {
  /** Number of busy connections cut at the deadline. */
  readonly cut: number;
}

const SWEEP_EVERY_MS = 25;

/**
 * Stops accepting connections, ends streams, finishes requests and closes each connection once idle. Cuts the rest at
 * the deadline.
 */
export async function shutDown(node: NodeServer, server: Server, deadlineMs: number): Promise<CloseReport> {
  server.drain();
  // Keep-alive connections would delay the shutdown.
  node.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    response.setHeader('connection', 'close');
  });
  const closed = new Promise<void>((resolve) => {
    node.close(() => resolve());
  });
  const sweep = (): void => {
    server.streams.closeAll();
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
