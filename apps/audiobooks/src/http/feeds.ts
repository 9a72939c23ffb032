import { isHoldfastError } from '@holdfast/base';
import { type BoundRequest, bytes, defineRoute, routesFor } from '@holdfast/http';
import { z } from 'zod';
import type { Book } from '../model/book.ts';
import { audiobookErrors } from '../model/errors.ts';
import type { Feed } from '../model/records.ts';
import type { Audiobooks } from '../service/audiobooks.ts';
import { type CoverSize, openAudioFile } from '../service/covers.ts';
import { bookOfFeed, feedAddress, notFound, openFeed, playableFiles } from '../service/feeds.ts';
import { coverResponse } from './covers.ts';
import { podcastOf } from './feed-documents.ts';
import { audioResponse } from './streams.ts';
import * as operations from '../operations/feeds.ts';

export function feedRoutes(app: Audiobooks) {
  const route = routesFor<Audiobooks>(() => app);
  return [
    route(operations.listFeeds, { method: 'GET', path: '/feeds' }),
    route(operations.createFeed, {
      method: 'POST',
      path: '/feeds',
      status: 201,
      location: ({ id }) => `/api/audiobooks/feeds/${id}`,
      omit: ['origin'],
      from: (request) => ({ origin: originOf(request) }),
    }),
    route(operations.revokeFeed, { method: 'DELETE', path: '/feeds/{feed}', status: 204 }),
    ...podcastRoutes(app),
  ] as const;
}

const params = z.object({ secret: z.string().min(1).max(100) });
/** Public, because podcast and OPDS programs send no credentials. Instead, the secret in the URL grants access. */
export const feedRoute = { method: 'GET', permission: 'public', errors: [audiobookErrors.FEED_NOT_FOUND] } as const;
export const coverErrors = [...feedRoute.errors, audiobookErrors.PICTURES_UNAVAILABLE];
const RSS = 'application/rss+xml; charset=utf-8';

function podcastRoutes(app: Audiobooks) {
  const bookBehind = async (secret: string): Promise<Book> => {
    const open = await openFeed(app, 'book', secret);
    return bookOfFeed(app, open, open.feed.book_id);
  };
  const rss = defineRoute({
    ...feedRoute,
    path: '/feed/{secret}/rss.xml',
    summary: 'Get a book as a podcast, through its private link',
    request: { params },
    responses: { 200: bytes('application/rss+xml') },
    handler: async (input) => {
      const { secret } = input.params;
      const book = await bookBehind(secret);
      return document(podcastOf(book, await playableFiles(app, book.id), requestAddress(input, 'book', secret)), RSS);
    },
  });
  const cover = defineRoute({
    ...feedRoute,
    path: '/feed/{secret}/cover.jpg',
    summary: 'Get the cover of a podcast feed',
    request: { params },
    responses: { 200: bytes('image/jpeg') },
    errors: coverErrors,
    handler: async ({ params: { secret }, request }) => feedCover(app, request, await bookBehind(secret), 1024),
  });
  const audio = defineRoute({
    ...feedRoute,
    path: '/feed/{secret}/audio/{file}',
    summary: 'Stream one audio file of a podcast feed, or a byte range of it',
    request: { params: params.extend({ file: z.string().max(40) }) },
    responses: { 200: bytes('audio/mpeg'), 206: bytes('audio/mpeg') },
    handler: async ({ params: { secret, file }, request }) => feedAudio(app, request, await bookBehind(secret), file),
  });
  return [rss, cover, audio] as const;
}

type Addressed = Pick<BoundRequest, 'request' | 'isSecure'>;

function originOf({ request, isSecure }: Addressed): string {
  return `${isSecure ? 'https' : 'http'}://${new URL(request.url).host}`;
}

/** Returns the URL of a feed, with the origin that the client used to reach the server. */
export function requestAddress(input: Addressed, kind: Feed['kind'], secret: string): string {
  return feedAddress(originOf(input), kind, secret);
}

/** Response headers that keep the secret in the URL away from referrers and search engines. */
const PRIVATE = { 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' } as const;
const CACHING = 'private, no-cache';

export function document(text: string, type: string): Response {
  return new Response(text, { headers: { ...PRIVATE, 'content-type': type, 'cache-control': CACHING } });
}

export async function feedCover(app: Audiobooks, request: Request, book: Book, size: CoverSize): Promise<Response> {
  const cover = await app.covers.cover(book, size, 'jpeg');
  if (cover === undefined) throw notFound();
  return withPrivacy(coverResponse(request, cover, CACHING));
}

/** Sends one file of a book. `file` is a segment id; an extension may follow for programs that need one. */
export async function feedAudio(app: Audiobooks, request: Request, book: Book, file: string): Promise<Response> {
  const [, segmentId = ''] = /^([0-9A-Z]{26})(?:\.[a-z0-9]{1,5})?$/u.exec(file) ?? [];
  if (segmentId === '') throw notFound();
  try {
    return withPrivacy(audioResponse(request, await openAudioFile(app, book.id, segmentId), 'inline'));
  } catch (error) {
    throw isHoldfastError(error, 'SEGMENT_NOT_FOUND') ? notFound() : error;
  }
}

function withPrivacy(response: Response): Response {
  for (const [name, value] of Object.entries(PRIVATE)) response.headers.set(name, value);
  return response;
}
