import type { WorkboxPlugin } from 'workbox-core/types.js';
import { ExpirationPlugin } from 'workbox-expiration';
import { getCacheKeyForURL, matchPrecache, precache, type PrecacheEntry } from 'workbox-precaching';
import { createPartialResponse } from 'workbox-range-requests';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { Strategy, type StrategyHandler } from 'workbox-strategies';

import { isReachable } from '../lib/is-reachable.ts';
import { BOOKS_CACHE, STORED_HEADER } from './names.ts';

/** Keeps the dashboard usable without the server. The server always comes first, so nobody sees outdated pages. */

/** The files of the dashboard, inserted by the build. */
declare const FILES: readonly PrecacheEntry[];
/** Changes with every build. Another build may not understand the stored answers. */
declare const BUILD: string;

interface Extendable extends Event {
  waitUntil(work: Promise<unknown>): void;
}

declare const self: {
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: Extendable) => void): void;
};

const DATA_PREFIX = 'holdfast-data-';
const DATA_CACHE = DATA_PREFIX + BUILD;
const OWNER_CACHE = 'holdfast-owner';
const OWNER_KEY = '/owner';
const ANSWERS_MAX = 1_000;
const ANSWER_BYTES_MAX = 2_000_000;

precache([...FILES]);
self.addEventListener('install', (event) => event.waitUntil(self.skipWaiting()));
self.addEventListener('activate', (event) => event.waitUntil(deleteOldData().then(() => self.clients.claim())));

async function deleteOldData(): Promise<void> {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(DATA_PREFIX) && name !== DATA_CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
}

const expiration = new ExpirationPlugin({ maxEntries: ANSWERS_MAX, purgeOnQuotaError: true });
/** Increases whenever the stored answers are deleted, so that a late answer for the previous user is not stored. */
let deletions = 0;

async function deleteAnswers(): Promise<void> {
  deletions += 1;
  await expiration.deleteCacheAndMetadata();
}

/** Deletes the stored answers of the previous user. Downloads stay until another user signs in. */
async function noticeUser(userId: string | undefined): Promise<void> {
  if (userId === undefined) return deleteAnswers();
  const cache = await caches.open(OWNER_CACHE);
  const owner = await (await cache.match(OWNER_KEY))?.text();
  if (owner === userId) return;
  await Promise.all([deleteAnswers(), caches.delete(BOOKS_CACHE)]);
  await cache.put(OWNER_KEY, new Response(userId));
}

const PATIENCE_MS = 2_000;
const AWAY_MS = 3_000;
/** Until this time, stored answers are used without asking the server. */
let awayUntil = 0;

/**
 * Resolves when the server turns out to be unreachable. A slow server counts as reachable, so pages wait for its
 * answers.
 */
async function untilAway(isOver: () => boolean): Promise<void> {
  do {
    await new Promise((done) => setTimeout(done, PATIENCE_MS));
    if (isOver()) return;
  } while (await isReachable());
  if (!isOver()) awayUntil = Date.now() + AWAY_MS;
}

/** Waits for the server; falls back only if the server is unreachable. */
async function serverFirst(
  ask: () => Promise<Response>,
  fallback: () => Promise<Response | undefined>,
): Promise<Response> {
  if (Date.now() < awayUntil) {
    const stored = await fallback();
    if (stored !== undefined) return stored;
  }
  let isOver = false;
  const answer = ask();
  const isAnswered = answer.then(
    () => true,
    () => false,
  );
  const isAway = untilAway(() => isOver).then(() => false);
  const isThere = await Promise.race([isAnswered, isAway]);
  isOver = true;
  return isThere ? answer : ((await fallback()) ?? answer);
}

class ServerFirst extends Strategy {
  override _handle(request: Request, handler: StrategyHandler): Promise<Response> {
    return serverFirst(
      () => handler.fetchAndCachePut(request),
      async () => {
        const downloaded = await caches.match(request.url, { cacheName: BOOKS_CACHE, ignoreVary: true });
        // For the details of a book, prefers the downloaded answer, because it names the downloaded files. For other
        // requests, a cached answer may be newer than the download.
        if (downloaded !== undefined && bookDetails.test(new URL(request.url).pathname)) return marked(downloaded);
        return marked((await handler.cacheMatch(request)) ?? downloaded);
      },
    );
  }
}

function marked(stored: Response | undefined): Response | undefined {
  if (stored === undefined) return undefined;
  const headers = new Headers(stored.headers);
  headers.set(STORED_HEADER, '1');
  return new Response(stored.body, { status: stored.status, headers });
}

function isStorable({ status, headers }: Response): boolean {
  return (
    status === 200 &&
    /^(?:application\/json|text\/|image\/)/u.test(headers.get('content-type') ?? '') &&
    Number(headers.get('content-length') ?? 0) <= ANSWER_BYTES_MAX &&
    headers.get('content-disposition')?.startsWith('attachment') !== true
  );
}

interface SignInState {
  readonly user: { readonly id: string } | null;
}

const answers = new ServerFirst({
  cacheName: DATA_CACHE,
  plugins: [
    {
      handlerWillStart: async ({ state }) => {
        if (state !== undefined) state['deletions'] = deletions;
      },
      fetchDidSucceed: async ({ request, response }) => {
        awayUntil = 0;
        if (response.status === 401) await deleteAnswers();
        if (new URL(request.url).pathname === '/api/auth/state' && response.ok)
          await noticeUser(((await response.clone().json()) as SignInState).user?.id);
        return response;
      },
      cacheWillUpdate: async ({ request, response, state }) => {
        const isState = new URL(request.url).pathname === '/api/auth/state';
        return isStorable(response) && (isState || state?.['deletions'] === deletions) ? response : null;
      },
    },
    // The types of Workbox do not allow for `exactOptionalPropertyTypes`.
    expiration as WorkboxPlugin,
  ],
});

const bookDetails = /^\/api\/audiobooks\/books\/[^/]+$/u;
const bookFile = /^\/api\/audiobooks\/books\/[^/]+\/segments\/[^/]+\/stream$/u;

registerRoute(
  ({ url, sameOrigin, request }) =>
    sameOrigin &&
    url.pathname.startsWith('/api/') &&
    request.mode !== 'navigate' &&
    !bookFile.test(url.pathname) &&
    !request.headers.has('range') &&
    request.headers.get('accept') !== 'text/event-stream',
  answers,
);

registerRoute(
  ({ url, sameOrigin }) => sameOrigin && bookFile.test(url.pathname),
  async ({ request }) => {
    const stored = await caches.match(request.url, { cacheName: BOOKS_CACHE, ignoreVary: true });
    if (stored === undefined) return fetch(request);
    return request.headers.has('range') ? createPartialResponse(request, stored) : stored;
  },
);

/** When a page's probe reaches the server, stored answers are no longer used. */
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname === '/healthz',
  async ({ request }) => {
    const response = await fetch(request);
    awayUntil = 0;
    return response;
  },
);

registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname === '/api/auth/logout',
  async ({ request }) => {
    const response = await fetch(request);
    if (response.ok) await Promise.all([deleteAnswers(), caches.delete(BOOKS_CACHE), caches.delete(OWNER_CACHE)]);
    return response;
  },
  'POST',
);

registerRoute(
  ({ url, sameOrigin }) => sameOrigin && /^\/api\/auth\/(?:login|setup)$/u.test(url.pathname),
  async ({ request }) => {
    const response = await fetch(request);
    if (response.ok) await deleteAnswers();
    return response;
  },
  'POST',
);

registerRoute(
  ({ url }) => url.pathname !== '/' && getCacheKeyForURL(url.href) !== undefined,
  async ({ request }) => (await matchPrecache(request)) ?? fetch(request),
);

/** Every page address returns the same document, so one stored copy serves all pages. */
registerRoute(
  new NavigationRoute(
    ({ request }) =>
      serverFirst(
        () => fetch(request),
        () => matchPrecache('/'),
      ),
    { denylist: [/^\/api\//u, /^\/mcp\//u] },
  ),
);
