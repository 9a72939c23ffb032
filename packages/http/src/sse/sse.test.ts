import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';

import { NumberedFeed } from '../../test/numbered-feed.ts';
import { eventually, RawClient } from '../../test/raw-client.ts';
import { appOf, asReader, asWriter, planApp, Plans, READER, sampleServer } from '../../test/sample-app.ts';
import { defineRoute } from '../routes/route.ts';
import { events } from '../routes/contract.ts';
import { listen, type Listening } from '../server/listen.ts';
import type { ServerOptions } from '../server/options.ts';
import { Broadcaster } from './broadcaster.ts';
import { sse } from './sse.ts';

let listening: Listening | undefined;
afterEach(async () => {
  await listening?.close(100);
  listening = undefined;
});

async function started(feed: NumberedFeed, options: Partial<ServerOptions> = {}) {
  const { server, lines } = sampleServer({ apps: [planApp(new Plans(), feed)], ...options });
  listening = await listen(server, { port: 0 });
  return { server, lines, port: listening.port };
}

function follower(port: number, extra: string = '', path: string = '/api/np/events'): RawClient {
  const client = new RawClient(port);
  client.send(`GET ${path} HTTP/1.1\nHost: 127.0.0.1:${port}\nCookie: session=reader\n${extra}\n`);
  return client;
}

describe('a stream of events', () => {
  it('begins with how long to wait and where it stands, then sends each event with its id', async () => {
    const feed = new NumberedFeed();
    feed.add();
    const { port } = await started(feed);
    const client = follower(port);
    await client.until(/id: 1\r?\n\r?\n/);
    expect(client.received).toMatch(/^HTTP\/1.1 200/);
    expect(client.received).toMatch(/content-type: text\/event-stream/i);
    expect(client.received).toMatch(/cache-control: no-store/i);
    expect(client.received).toContain('retry: 2000\nid: 1\n\n');
    feed.add({ key: 'a\nb' });
    await client.until(/id: 2\nevent: change\ndata: \{"key":"a\\nb"\}\n\n/);
    client.destroy();
  });

  it.each([
    ['Last-Event-ID', 'Last-Event-ID: 2\n', '/api/np/events'],
    ['?since', '', '/api/np/events?since=2'],
    ['both, of which the header is newer', 'Last-Event-ID: 2\n', '/api/np/events?since=0'],
  ])('goes on after %s', async (_how, header, path) => {
    const feed = new NumberedFeed();
    for (let count = 0; count < 4; count++) feed.add();
    const { port } = await started(feed);
    const client = follower(port, header, path);
    await client.until(/id: 4\nevent/);
    expect([...client.received.matchAll(/id: (\d+)\nevent/g)].map(([, id]) => id)).toEqual(['3', '4']);
    client.destroy();
  });

  it('refuses to go on from what was never an id', async () => {
    const { server } = sampleServer({ apps: [planApp(new Plans(), new NumberedFeed())] });
    for (const since of ['x', '-1', '1;DROP', 'x'.repeat(600)]) {
      const response = await server.request(`/api/np/events?since=${since}`, { headers: asReader });
      expect(response.status).toBe(422);
    }
    expect(server.streams.size).toBe(0);
  });

  it('beats while nothing happens', async () => {
    const { port } = await started(new NumberedFeed(), { streams: { heartbeatMs: 20 } });
    const client = follower(port);
    expect(await client.until(/: \n\n[\s\S]*: \n\n/)).not.toContain('event:');
    client.destroy();
  });

  it('sends only what the listener may see, and still remembers how far it is', async () => {
    const feed = new NumberedFeed();
    const route = defineRoute({
      method: 'GET',
      path: '/mine',
      permission: 'np:read',
      summary: 'Mine',
      responses: { 200: events(z.unknown()) },
      handler: (input) =>
        sse(input, { feed, filter: ({ data }) => (data as { user: string }).user === input.principal.userId }),
    });
    const { port } = await started(feed, { apps: [appOf(route)], streams: { heartbeatMs: 30 } });
    const client = follower(port, '', '/mine');
    await client.until(/id: 0\n\n/);
    feed.add({ user: READER.userId });
    feed.add({ user: 'somebody else' });
    await client.until(/id: 1\nevent[\s\S]*id: 2\n\n/);
    expect(client.received).not.toContain('somebody else');
    client.destroy();
  });

  it('ends with its client, and leaves nothing behind', async () => {
    const feed = new NumberedFeed();
    const { port, server } = await started(feed);
    const clients = Array.from({ length: 10 }, () => follower(port));
    await Promise.all(clients.map((client) => client.until(/id: 0/)));
    await eventually(() => server.streams.size === 10 && feed.readers === 10, 'all listen');
    for (const client of clients) client.destroy();
    await eventually(() => server.streams.size === 0 && feed.readers === 0, 'all are gone');
    expect(feed.opened).toBe(10);
  });

  it('is not held open by HEAD', async () => {
    const feed = new NumberedFeed();
    const { server } = await started(feed);
    expect((await server.request('/api/np/events', { method: 'HEAD', headers: asReader })).status).toBe(200);
    await eventually(() => server.streams.size === 0 && feed.readers === 0, 'nobody listens');
  });

  it('ends when the source fails, without telling why; the client comes back by itself', async () => {
    const feed = new NumberedFeed();
    const { port, lines } = await started(feed);
    const client = follower(port);
    await client.until(/id: 0/);
    feed.fail(new Error('the journal is locked'));
    await client.until(/\r\n0\r\n\r\n$/);
    expect(client.received).not.toContain('locked');
    expect(lines.join('')).toContain('the journal is locked');
    client.destroy();
  });

  it('ends when its session does', async () => {
    let isValid = true;
    const { port, server } = await started(new NumberedFeed(), {
      authenticate: () => (isValid ? READER : undefined),
      streams: { heartbeatMs: 10, recheckMs: 20 },
    });
    const client = follower(port);
    await client.until(/: \n\n[\s\S]*: \n\n[\s\S]*: \n\n/);
    isValid = false;
    await client.until(/\r\n0\r\n\r\n$/);
    expect(server.streams.size).toBe(0);
    client.destroy();
  });

  it('ends without waiting for a heartbeat when the server says that accounts have changed', async () => {
    let ended = '';
    const { port, server } = await started(new NumberedFeed(), {
      authenticate: ({ headers }) => (headers.get('x-name') === ended ? undefined : READER),
    });
    const [stays, goes] = [follower(port, 'X-Name: stays\n'), follower(port, 'X-Name: goes\n')];
    await Promise.all([stays.until(/id: 0/), goes.until(/id: 0/)]);
    ended = 'goes';
    await server.streams.recheckAll();
    await goes.until(/\r\n0\r\n\r\n$/);
    expect(server.streams.size).toBe(1);
    stays.destroy();
    goes.destroy();
  });

  it('is refused when there are too many', async () => {
    const { server } = sampleServer({ streams: { listenersMax: 1 } });
    const first = await server.request('/api/np/events', { headers: asReader });
    const second = await server.request('/api/np/events', { headers: asReader });
    expect([first.status, second.status]).toEqual([200, 503]);
    expect(await second.json()).toMatchObject({ code: 'TOO_MANY_LISTENERS' });
    await first.body?.cancel();
  });

  it('is refused when one user has too many, and others still get theirs', async () => {
    const { server } = sampleServer({ streams: { listenersPerUserMax: 1 } });
    const ask = (headers: Record<string, string>) => server.request('/api/np/events', { headers });
    const [first, second, other] = [await ask(asReader), await ask(asReader), await ask(asWriter)];
    expect([first.status, second.status, other.status]).toEqual([200, 503, 200]);
    await first.body?.cancel();
    const again = await ask(asReader);
    expect(again.status).toBe(200);
    for (const { body } of [again, other]) await body?.cancel();
  });

  it('does not read ahead of a client that does not read', async () => {
    const feed = new NumberedFeed();
    let taken = 0;
    const counting = {
      head: () => '0',
      open: async function* open(since: string, signal: AbortSignal) {
        for await (const event of feed.open(since, signal)) {
          taken += 1;
          yield event;
        }
      },
    };
    const route = defineRoute({
      method: 'GET',
      path: '/big',
      permission: 'public',
      summary: 'Big',
      responses: { 200: events(z.unknown()) },
      handler: (input) => sse(input, { feed: counting }),
    });
    const { port } = await started(feed, { apps: [appOf(route)] });
    const client = follower(port, '', '/big');
    await client.until(/id: 0/);
    client.socket.pause();
    for (let count = 0; count < 5_000; count++) feed.add('x'.repeat(10_000));
    let before = -1;
    await eventually(() => {
      const isSteady = taken === before;
      before = taken;
      return isSteady && taken > 0;
    }, 'reading comes to a halt');
    expect(taken).toBeLessThan(4_000);
    client.destroy();
  });
});

it('many listeners of one broadcaster all get an event, in order', async () => {
  const feed = new NumberedFeed();
  const broadcaster = new Broadcaster(feed);
  const route = defineRoute({
    method: 'GET',
    path: '/all',
    permission: 'public',
    summary: 'All',
    responses: { 200: events(z.unknown()) },
    handler: (input) => sse(input, { feed: broadcaster }),
  });
  const { port, server } = await started(feed, { apps: [appOf(route)] });
  const clients = Array.from({ length: 100 }, () => follower(port, '', '/all'));
  await Promise.all(clients.map((client) => client.until(/id: 0/)));
  for (let count = 0; count < 20; count++) feed.add();
  await Promise.all(clients.map((client) => client.until(/id: 20\nevent/)));
  for (const client of clients) {
    const ids = [...client.received.matchAll(/id: (\d+)\nevent/g)].map(([, id]) => Number(id));
    expect(ids).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    client.destroy();
  }
  expect(feed.opened).toBe(1);
  await eventually(() => server.streams.size === 0, 'all are gone');
  await broadcaster.close();
});
