import { MINUTE } from '@holdfast/base';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { NumberedFeed } from '../../test/numbered-feed.ts';
import { eventually, RawClient } from '../../test/raw-client.ts';
import { appOf, planApp, Plans, sampleServer } from '../../test/sample-app.ts';
import { defineRoute, ok } from '../routes/route.ts';
import { listen } from './listen.ts';

/** Longer than any test: waiting for this deadline fails the test. */
const NEVER_MS = MINUTE;

function gated() {
  const gate = { open: (): void => undefined };
  const opened = new Promise<void>((resolve) => {
    gate.open = resolve;
  });
  let running = 0;
  const route = defineRoute({
    method: 'GET',
    path: '/gated',
    permission: 'public',
    summary: 'Waits',
    responses: { 200: z.object({ done: z.boolean() }) },
    handler: async () => {
      running += 1;
      await opened;
      return ok({ done: true });
    },
  });
  return { gate, route, running: () => running };
}

async function started(feed: NumberedFeed = new NumberedFeed()) {
  const { gate, route, running } = gated();
  const { server } = sampleServer({ apps: [appOf(route), planApp(new Plans(), feed)] });
  const listening = await listen(server, { port: 0 });
  const ask = (path: string): RawClient => {
    const client = new RawClient(listening.port);
    client.send(`GET ${path} HTTP/1.1\nHost: 127.0.0.1:${listening.port}\nCookie: session=reader\n\n`);
    return client;
  };
  return { server, listening, gate, running, ask };
}

describe('shutting down', () => {
  it('lets a request finish, and closes its connection then', async () => {
    const { listening, gate, running, ask } = await started();
    const client = ask('/gated');
    await eventually(() => running() === 1, 'the handler runs');
    const closing = listening.close(NEVER_MS);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(client.isClosed).toBe(false);
    gate.open();
    await client.closed();
    expect(client.received).toContain('{"done":true}');
    expect(await closing).toEqual({ cut: 0 });
  });

  it('takes no new connections meanwhile', async () => {
    const { listening, gate, running, ask } = await started();
    ask('/gated');
    await eventually(() => running() === 1, 'the handler runs');
    const closing = listening.close(NEVER_MS);
    await expect(fetch(`http://127.0.0.1:${listening.port}/healthz`)).rejects.toThrow('fetch failed');
    gate.open();
    await closing;
  });

  it('ends live connections in order, so that clients come back by themselves', async () => {
    const feed = new NumberedFeed();
    const { listening, server, ask } = await started(feed);
    const clients = Array.from({ length: 20 }, () => ask('/api/np/events'));
    await Promise.all(clients.map((client) => client.until(/id: 0/)));
    expect(await listening.close(NEVER_MS)).toEqual({ cut: 0 });
    for (const client of clients) {
      await client.closed();
      expect(client.received).toMatch(/\r\n0\r\n\r\n$/);
    }
    expect(server.streams.size).toBe(0);
    expect(feed.readers).toBe(0);
  });

  it('does not wait for connections that are only kept alive', async () => {
    const { listening, ask } = await started();
    const client = ask('/healthz');
    await client.until(/"ok"/);
    expect(await listening.close(NEVER_MS)).toEqual({ cut: 0 });
    await client.closed();
  });

  it('cuts what is left at the deadline, and says how much', async () => {
    const { listening, running, ask } = await started();
    const clients = [ask('/gated'), ask('/gated')];
    await eventually(() => running() === 2, 'both run');
    expect(await listening.close(100)).toEqual({ cut: 2 });
    await Promise.all(clients.map((client) => client.closed()));
  });

  it('is done once, however often it is asked for', async () => {
    const { listening } = await started();
    const both = await Promise.all([listening.close(), listening.close()]);
    expect(both[0]).toBe(both[1]);
    await listening[Symbol.asyncDispose]();
  });

  it('says on the way that it is not ready', async () => {
    const { server } = await started();
    expect((await server.request('/readyz')).status).toBe(200);
    server.drain();
    expect((await server.request('/readyz')).status).toBe(503);
    expect((await server.request('/healthz')).status).toBe(200);
    server.dispose();
  });
});
