import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterEach } from 'vitest';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

export interface Received {
  readonly id: string;
  readonly situation: string;
  readonly text: string;
  readonly task: string | null;
  readonly worker: string | null;
  readonly workspace: string;
}

export interface Webhook {
  readonly url: string;
  readonly received: Received[];
  /** The response to the next requests: a status, or no response at all. */
  answer: number | 'never';
}

/** A real HTTP server that records what it receives. */
export async function startWebhook(): Promise<Webhook> {
  const received: Received[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    received.push(JSON.parse(text) as Received);
    if (webhook.answer === 'never') return;
    response.writeHead(webhook.answer, webhook.answer === 302 ? { location: `${webhook.url}&again` } : {}).end();
  };
  const server = createServer((request, response) => void handle(request, response));
  servers.push(server);
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  const { port } = server.address() as AddressInfo;
  const webhook: Webhook = { url: `http://127.0.0.1:${port}/hooks/secret?token=hidden`, received, answer: 204 };
  return webhook;
}
