import { MEBIBYTE, MINUTE } from '@holdfast/base';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';

import { eventually, RawClient } from '../../test/raw-client.ts';
import { appOf, sampleServer } from '../../test/sample-app.ts';
import { defineRoute, ok } from '../routes/route.ts';
import { bytes } from '../routes/contract.ts';
import { listen, type Listening, type SocketLimits } from './listen.ts';
import type { ServerOptions } from './options.ts';

let listening: Listening | undefined;
afterEach(() => listening?.close(100));

async function started(options: Partial<ServerOptions>, sockets: Partial<SocketLimits> = {}): Promise<number> {
  const { server } = sampleServer(options);
  listening = await listen(server, { port: 0, sockets });
  return listening.port;
}

const take = defineRoute({
  method: 'POST',
  path: '/take',
  permission: 'public',
  summary: 'Takes',
  request: { body: z.object({ text: z.string() }) },
  responses: { 200: z.object({ length: z.number() }) },
  limits: { bodyBytes: 1_000 },
  handler: ({ body }) => ok({ length: body.text.length }),
});

function head(port: number, framing: string): string {
  return `POST /take HTTP/1.1\nHost: 127.0.0.1:${port}\nContent-Type: application/json\n${framing}\n\n`;
}

describe('a slow client', () => {
  it('that sends its headers byte by byte is cut off', async () => {
    const port = await started({}, { headersTimeoutMs: 100, requestTimeoutMs: 200, checkEveryMs: 20 });
    const client = new RawClient(port);
    client.send(`GET /healthz HTTP/1.1\nHost: 127.0.0.1:${port}\n`);
    const dripping = setInterval(() => client.send('X-A: b\n'), 10);
    await client.closed().finally(() => clearInterval(dripping));
    expect(client.received).toMatch(/^HTTP\/1.1 408 /);
  });

  it('that sends its body byte by byte gets 408 and is cut off', async () => {
    const port = await started({ apps: [appOf(take)], limits: { bodyTimeoutMs: 100 } });
    const client = new RawClient(port);
    client.send(head(port, 'Content-Length: 900'));
    const dripping = setInterval(() => client.send('x'), 10);
    await client.closed().finally(() => clearInterval(dripping));
    expect(client.received).toMatch(/^HTTP\/1.1 408 /);
    expect(client.received).toContain('BODY_TOO_SLOW');
  });

  it.each([
    ['a body that nobody reads', 'Content-Length: 900', 'x'],
    ['empty lines', 'X-A: b', '\n'],
  ])('that was answered and sends %s is cut off', async (_what, header, dripped) => {
    const port = await started({}, { headersTimeoutMs: 100, keepAliveTimeoutMs: 200, unreadBodyMs: 300 });
    const client = new RawClient(port);
    client.send(`GET /healthz HTTP/1.1\nHost: 127.0.0.1:${port}\n${header}\n\n`);
    const dripping = setInterval(() => client.send(dripped), 20);
    await client.closed(5_000).finally(() => clearInterval(dripping));
    expect(client.received).toMatch(/^HTTP\/1.1 200 /);
  });

  it('that connects and says nothing is cut off', async () => {
    const port = await started({}, { headersTimeoutMs: 100, requestTimeoutMs: 200, checkEveryMs: 20 });
    const client = new RawClient(port);
    await client.closed();
    expect(client.isClosed).toBe(true);
  });

  it('that never reads its answer is cut off', async () => {
    let isGivenUp = false;
    const endless = defineRoute({
      method: 'GET',
      path: '/endless',
      permission: 'public',
      summary: 'Endless',
      responses: { 200: bytes('application/octet-stream') },
      handler: () =>
        new Response(
          new ReadableStream<Uint8Array>({
            pull: (controller) => controller.enqueue(new Uint8Array(MEBIBYTE)),
            cancel: () => {
              isGivenUp = true;
            },
          }),
        ),
    });
    const port = await started({ apps: [appOf(endless)] }, { idleTimeoutMs: 200 });
    const client = new RawClient(port);
    client.socket.pause();
    client.send(`GET /endless HTTP/1.1\nHost: 127.0.0.1:${port}\n\n`);
    await eventually(() => isGivenUp, 'the server gives up');
    // A paused socket does not notice that it was closed.
    client.socket.resume();
    await client.closed();
    expect(client.isClosed).toBe(true);
  });

  it('does not keep others waiting', async () => {
    const port = await started({ apps: [appOf(take)], limits: { bodyTimeoutMs: MINUTE } });
    const slow = Array.from({ length: 50 }, () => new RawClient(port));
    for (const client of slow) client.send(head(port, 'Content-Length: 900'));
    const client = new RawClient(port);
    client.send(`GET /healthz HTTP/1.1\nHost: 127.0.0.1:${port}\n\n`);
    await client.until(/"ok"/);
    expect(slow.map(({ received }) => received).join('')).toBe('');
    for (const each of [...slow, client]) each.destroy();
  });
});

describe('an oversized body', () => {
  it('that is announced is refused before it is sent', async () => {
    const port = await started({ apps: [appOf(take)] });
    const client = new RawClient(port);
    client.send(head(port, 'Content-Length: 1001'));
    await client.until(/BODY_TOO_LARGE/);
    expect(client.received).toMatch(/^HTTP\/1.1 413 /);
    await client.closed();
  });

  it('that comes in chunks is refused as soon as it is too much', async () => {
    const port = await started({ apps: [appOf(take)] });
    const client = new RawClient(port);
    client.send(head(port, 'Transfer-Encoding: chunked'));
    const chunk = `${(200).toString(16)}\n${'x'.repeat(200)}\n`;
    const sending = setInterval(() => client.send(chunk), 5);
    await client.until(/BODY_TOO_LARGE/).finally(() => clearInterval(sending));
    expect(client.received).toMatch(/^HTTP\/1.1 413 /);
    await client.closed();
  });

  it('is not read into memory, however large', async () => {
    const port = await started({ apps: [appOf(take)] });
    const client = new RawClient(port);
    client.send(head(port, `Content-Length: ${10 ** 12}`));
    let sent = 0;
    const block = 'x'.repeat(1024 * 1024);
    const sending = setInterval(() => {
      if (client.socket.writableLength > 0 || client.socket.destroyed) return;
      client.send(block);
      sent += 1;
    }, 1);
    await client.closed().finally(() => clearInterval(sending));
    expect(sent).toBeLessThan(200);
  });
});

it('an answer that fails halfway is cut, and does not say why', async () => {
  let chunks = 0;
  const failing = defineRoute({
    method: 'GET',
    path: '/failing',
    permission: 'public',
    summary: 'Fails',
    responses: { 200: bytes('text/plain') },
    handler: () =>
      new Response(
        new ReadableStream<Uint8Array>({
          pull: async (controller) => {
            await new Promise((resolve) => setTimeout(resolve, 20));
            chunks += 1;
            if (chunks > 3) controller.error(new Error('the secret of the disk'));
            else controller.enqueue(new TextEncoder().encode(`chunk ${chunks}`));
          },
        }),
      ),
  });
  const port = await started({ apps: [appOf(failing)] });
  const client = new RawClient(port);
  client.send(`GET /failing HTTP/1.1\nHost: 127.0.0.1:${port}\n\n`);
  await client.closed();
  expect(client.received).toContain('chunk 3');
  expect(client.received).not.toContain('secret');
  // The last chunk never arrives, so no client treats the response as complete.
  expect(client.received).not.toMatch(/\r\n0\r\n\r\n$/);
});

describe('a handler that takes too long', () => {
  it('is given up, told so, and answered for', async () => {
    const signals: AbortSignal[] = [];
    const endless = defineRoute({
      method: 'GET',
      path: '/endless',
      permission: 'public',
      summary: 'Endless',
      responses: { 200: z.object({}) },
      limits: { timeoutMs: 50 },
      handler: ({ signal }) => {
        signals.push(signal);
        return new Promise<never>(() => undefined);
      },
    });
    const port = await started({ apps: [appOf(endless)] });
    const response = await fetch(`http://127.0.0.1:${port}/endless`);
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ code: 'REQUEST_TIMEOUT' });
    expect(signals[0]?.aborted).toBe(true);
  });

  it('learns that its client is gone', async () => {
    const signals: AbortSignal[] = [];
    const waiting = defineRoute({
      method: 'GET',
      path: '/waiting',
      permission: 'public',
      summary: 'Waits',
      responses: { 200: z.object({}) },
      handler: async ({ signal }) => {
        signals.push(signal);
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        return ok({});
      },
    });
    const port = await started({ apps: [appOf(waiting)] });
    const client = new RawClient(port);
    client.send(`GET /waiting HTTP/1.1\nHost: 127.0.0.1:${port}\n\n`);
    await eventually(() => signals.length === 1, 'the handler runs');
    client.destroy();
    await eventually(() => signals[0]?.aborted === true, 'the handler is told');
    expect(signals[0]?.aborted).toBe(true);
  });
});
