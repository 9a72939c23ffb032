import { Broadcaster, defineRoute, events, sse, type StreamEvent } from '@holdfast/http';
import { z } from 'zod';

import type { Audiobooks } from '../service/audiobooks.ts';
import { type Caller, callerOf, readPermission } from './caller.ts';
import { type AddressedEvent, eventFeed } from './event-feed.ts';

export function eventRoutes(app: Audiobooks) {
  let opened: Broadcaster | undefined;
  const feed = (): Broadcaster => {
    opened ??= openFeed(app);
    return opened;
  };
  const live = defineRoute({
    method: 'GET',
    path: '/events',
    permission: readPermission,
    summary: 'What happens: progress (only one’s own), book, library, rights, and operation for those who manage',
    request: { query: z.object({ since: z.string().optional() }) },
    responses: { 200: events(z.unknown()) },
    handler: async (input) => sse(input, { feed: feed(), filter: listener(await callerOf(app, input)) }),
  });
  return [live] as const;
}

/** The database is read once, however many listen. */
function openFeed({ store, closing }: Audiobooks): Broadcaster {
  const feed = new Broadcaster(eventFeed(() => store));
  closing.addEventListener('abort', () => void feed.close(), { once: true });
  return feed;
}

/** Rights that change while somebody listens count from that moment on. */
function listener(caller: Caller): (event: StreamEvent) => boolean {
  let { libraries } = caller;
  return (event) => {
    const { audience, rights } = event as AddressedEvent;
    if ('managers' in audience) return caller.can.manage;
    if ('library' in audience) {
      return libraries === 'all' || (audience.library !== null && libraries.has(audience.library));
    }
    if (audience.user !== caller.userId) return false;
    if (rights !== undefined && !caller.can.manage) {
      libraries = rights.libraries === 'all' ? 'all' : new Set(rights.libraries);
    }
    return true;
  };
}
