import type { IncomingMessage, Server as NodeServer, ServerResponse } from 'node:http';

import type { Server } from './server.ts';

export interface CloseReport {
  /** Number of connections that were still busy at the deadline and were cut. */
  readonly cut: number;
}

const SWEEP_EVERY_MS = 25;

/**
 * Closes in an order that loses nothing that can be finished: no new connections, then live streams end, requests get
 * their answers, and each connection closes as soon as it is idle. What is left at the deadline is cut.
 */
export async function shutDown(node: NodeServer, server: Server, deadlineMs: number): Promise<CloseReport> {
  server.drain();
  // A connection that is kept for a next request would keep the server waiting for nothing.
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
