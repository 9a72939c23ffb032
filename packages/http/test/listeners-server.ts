import { z } from 'zod';

import { Broadcaster, defineRoute, events, listen, sse } from '../src/index.ts';
import { NumberedFeed } from './numbered-feed.ts';
import { appOf, sampleServer } from './sample-app.ts';

/** A server in its own process, so that its memory is measured without its clients. */

const feed = new NumberedFeed();
const broadcaster = new Broadcaster(feed);
const route = defineRoute({
  method: 'GET',
  path: '/events',
  permission: 'public',
  summary: 'What happens',
  responses: { 200: events(z.unknown()) },
  handler: (input) => sse(input, { feed: broadcaster }),
});
const { server } = sampleServer({ apps: [appOf(route)] });
const listening = await listen(server, { port: 0 });

function tell(): void {
  const { user, system } = process.cpuUsage();
  const workedMs = (user + system) / 1_000;
  const { size: listeners } = server.streams;
  process.send?.({ bytes: process.memoryUsage.rss(), workedMs, listeners, port: listening.port });
}

process.on('message', (message) => {
  if (message === 'add') feed.add({ key: 'a' });
  tell();
});
tell();
