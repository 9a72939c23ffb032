import { bytes, created, defineRoute, noContent, nothing, ok, page, pageOf } from '@holdfast/http';
import { z } from 'zod';

import { audiobookErrors } from '../model/errors.ts';
import { FEED_KINDS } from '../model/feed.ts';
import { id, time } from '../model/stored.ts';
import type { Audiobooks } from '../service/audiobooks.ts';
import { bookOfFeed, createFeed, listFeeds, openFeed, revokeFeed } from '../service/feeds.ts';
import { activeSegments } from '../store/segments.ts';
import { callerOf, readPermission, visibleBook } from './caller.ts';
import { feedAddress, feedErrors, feedSound, picture, secretParameter, soundParameter, text } from './feed-answers.ts';
import { podcastOf } from './podcast.ts';
import { idParameter } from './schemas.ts';

const feedSchema = z.object({ id, kind: z.enum(FEED_KINDS), book_id: id.nullable(), created_at: time });
const params = z.object({ secret: secretParameter });
const RSS = 'application/rss+xml; charset=utf-8';

export function feedRoutes(app: Audiobooks) {
  const list = defineRoute({
    method: 'GET',
    path: '/feeds',
    permission: readPermission,
    summary: 'The private links of the caller, without their secrets',
    responses: { 200: pageOf(feedSchema) },
    handler: async ({ principal }) => ok(page(await listFeeds(app, principal.userId), undefined)),
  });
  const create = defineRoute({
    method: 'POST',
    path: '/feeds',
    permission: readPermission,
    summary:
      'Make a private link to one book as a podcast, or to everything as an OPDS catalogue; it is shown this once',
    description: 'Whoever has the link can listen without signing in, until it is revoked.',
    request: {
      body: z.discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('book'), book_id: idParameter }),
        z.strictObject({ kind: z.literal('opds') }),
      ]),
    },
    responses: { 201: z.object({ id, url: z.string() }) },
    errors: [audiobookErrors.BOOK_NOT_FOUND, audiobookErrors.RIGHTS_MISSING, audiobookErrors.FEEDS_FULL],
    handler: async (input) => {
      const caller = await callerOf(app, input);
      const bookId = input.body.kind === 'book' ? input.body.book_id : null;
      if (bookId !== null) await visibleBook(app.store, caller, bookId);
      if (!caller.can.download) throw audiobookErrors.RIGHTS_MISSING('Links are for those who may download.');
      const request = { userId: caller.userId, kind: input.body.kind, bookId };
      const { feed, secret } = await createFeed(app, request);
      const url = feedAddress(input, feed.kind === 'book' ? 'feed' : 'opds', secret);
      const shown = { id: feed.id, url: feed.kind === 'book' ? `${url}/rss.xml` : url };
      return created(shown, `/api/audiobooks/feeds/${feed.id}`);
    },
  });
  const revoke = defineRoute({
    method: 'DELETE',
    path: '/feeds/{id}',
    permission: readPermission,
    summary: 'Revoke a private link: it leads nowhere from now on',
    request: { params: z.object({ id: idParameter }) },
    responses: { 204: nothing },
    errors: feedErrors,
    handler: async ({ principal, params: { id: feedId } }) => {
      await revokeFeed(app, principal.userId, feedId);
      return noContent();
    },
  });
  return [list, create, revoke, ...podcastRoutes(app)] as const;
}

/** Public, because the secret in the address is all that such programs can send. */
function podcastRoutes(app: Audiobooks) {
  const rss = defineRoute({
    method: 'GET',
    path: '/feed/{secret}/rss.xml',
    permission: 'public',
    summary: 'A book as a podcast, behind a private link',
    request: { params },
    responses: { 200: bytes('application/rss+xml') },
    errors: feedErrors,
    handler: async (input) => {
      const open = await openFeed(app, app.accounts, 'book', input.params.secret);
      const book = await bookOfFeed(app, open, open.feed.book_id);
      const segments = await activeSegments(app.store, book.id);
      return text(podcastOf(book, segments, feedAddress(input, 'feed', input.params.secret)), RSS);
    },
  });
  const cover = defineRoute({
    method: 'GET',
    path: '/feed/{secret}/cover.jpg',
    permission: 'public',
    summary: 'The cover of that book',
    request: { params },
    responses: { 200: bytes('image/jpeg') },
    errors: [...feedErrors, audiobookErrors.PICTURES_UNAVAILABLE],
    handler: async ({ params: { secret }, request }) => {
      const open = await openFeed(app, app.accounts, 'book', secret);
      return picture(app, request, await bookOfFeed(app, open, open.feed.book_id), 1024);
    },
  });
  const sound = defineRoute({
    method: 'GET',
    path: '/feed/{secret}/sound/{file}',
    permission: 'public',
    summary: 'The sound of one file of that book, or a range of it',
    request: { params: params.extend({ file: soundParameter }) },
    responses: { 200: bytes('audio/mpeg'), 206: bytes('audio/mpeg') },
    errors: feedErrors,
    handler: async ({ params: { secret, file }, request }) => {
      const open = await openFeed(app, app.accounts, 'book', secret);
      return feedSound(app, request, await bookOfFeed(app, open, open.feed.book_id), file);
    },
  });
  return [rss, cover, sound] as const;
}
