import { type BoundRequest, bytes, defineRoute, pageQuery } from '@holdfast/http';
import { z } from 'zod';

import type { Book } from '../model/book.ts';
import { toTime } from '../model/stored.ts';
import type { Audiobooks } from '../service/audiobooks.ts';
import { bookOfFeed, openFeed, playableFiles } from '../service/feeds.ts';
import { browseBooks, type BrowseRequest } from '../service/queries/browse-books.ts';
import { visibleGroups } from '../service/queries/groups.ts';
import { coverErrors, document, feedAudio, feedCover, feedRoute, requestAddress } from './feeds.ts';
import {
  ACQUISITION,
  bookEntry,
  catalogueFeed,
  NAVIGATION,
  navigationEntry,
  OPEN_SEARCH,
  openSearch,
} from './feed-documents.ts';

const params = z.object({ secret: z.string().min(1).max(100) });
const ofBook = params.extend({ id: z.string().min(1).max(64) });
const query = z.object(pageQuery);

type FeedRequest = Pick<BoundRequest, 'request' | 'isSecure'> & { readonly params: { readonly secret: string } };

export function opdsRoutes(app: Audiobooks) {
  const root = defineRoute({
    ...feedRoute,
    path: '/opds/{secret}',
    summary: 'Get the root of an OPDS 1.2 catalogue, through its private link',
    request: { params },
    responses: { 200: bytes(NAVIGATION) },
    handler: async (input) => {
      await openFeed(app, 'opds', input.params.secret);
      return rootFeed(app, input);
    },
  });
  const description = defineRoute({
    ...feedRoute,
    path: '/opds/{secret}/search.xml',
    summary: 'Get the OpenSearch description of an OPDS feed',
    request: { params },
    responses: { 200: bytes(OPEN_SEARCH) },
    handler: async (input) => {
      await openFeed(app, 'opds', input.params.secret);
      return document(openSearch(requestAddress(input, 'opds', input.params.secret)), OPEN_SEARCH);
    },
  });
  return [root, description, ...groupFeeds(app), ...bookFeeds(app), ...fileRoutes(app)] as const;
}

function rootFeed(app: Audiobooks, input: FeedRequest): Response {
  const base = requestAddress(input, 'opds', input.params.secret);
  const updated = toTime(app.now());
  const places = [
    { path: '/recent', title: 'Recently added', about: 'Newest books first', kind: ACQUISITION },
    { path: '/books', title: 'All books', about: 'By title', kind: ACQUISITION },
    { path: '/authors', title: 'Authors', about: 'Books by author', kind: NAVIGATION },
    { path: '/series', title: 'Series', about: 'Books in series order', kind: NAVIGATION },
  ];
  const entries = places.map((place) => navigationEntry(base, { ...place, updated }));
  return document(
    catalogueFeed({ base, path: '', kind: NAVIGATION, title: 'Audiobooks', updated, entries }),
    NAVIGATION,
  );
}

function groupFeeds(app: Audiobooks) {
  const groups = <const Path extends string>(path: Path, kind: 'author' | 'series', title: string) =>
    defineRoute({
      ...feedRoute,
      path: `/opds/{secret}/${path}`,
      summary: `Get a page of an OPDS feed: ${title}`,
      request: { params, query },
      responses: { 200: bytes(NAVIGATION) },
      handler: async (input) => {
        const open = await openFeed(app, 'opds', input.params.secret);
        const { items, cursor } = await visibleGroups(app, open, kind, input.query);
        const base = requestAddress(input, 'opds', input.params.secret);
        const updated = toTime(app.now());
        const entries = items.map(({ id, name, books }) =>
          navigationEntry(base, {
            path: `/${path}/${id}`,
            title: name,
            about: books === 1 ? '1 book' : `${books} books`,
            kind: ACQUISITION,
            updated,
          }),
        );
        const next = nextAddress(base, `/${path}`, cursor, {});
        const feed = { base, path: `/${path}`, kind: NAVIGATION, title, updated, next, entries } as const;
        return document(catalogueFeed(feed), NAVIGATION);
      },
    });
  return [groups('authors', 'author', 'Authors'), groups('series', 'series', 'Series')] as const;
}

function bookFeeds(app: Audiobooks) {
  const feed = <const Path extends string, const Params extends typeof params | typeof ofBook>(
    path: Path,
    shape: Params,
    wishOf: (id: string) => Pick<BrowseRequest, 'sort' | 'reverse' | 'author' | 'series'>,
    title: string,
  ) =>
    defineRoute({
      ...feedRoute,
      path: `/opds/{secret}/${path}`,
      summary: `Get a page of an OPDS feed: ${title}`,
      request: { params: shape, query },
      responses: { 200: bytes(ACQUISITION) },
      handler: async (input) => {
        const asked = input.params as { readonly secret: string; readonly id?: string };
        const wish = { ...wishOf(asked.id ?? ''), ...input.query };
        const at = `/${path.replace('{id}', asked.id ?? '')}`;
        return booksFeed(app, { request: input.request, isSecure: input.isSecure, params: asked }, wish, title, at, {});
      },
    });
  const search = defineRoute({
    ...feedRoute,
    path: '/opds/{secret}/search',
    summary: 'Search the books of an OPDS feed',
    request: { params, query: query.extend({ q: z.string().trim().min(1).max(500) }) },
    responses: { 200: bytes(ACQUISITION) },
    handler: async (input) => {
      const wish = { sort: 'title', reverse: false, ...input.query } as const;
      return booksFeed(app, input, wish, 'Found', '/search', { q: input.query.q });
    },
  });
  return [
    feed('recent', params, () => ({ sort: 'added', reverse: true }), 'Recently added'),
    feed('books', params, () => ({ sort: 'title', reverse: false }), 'All books'),
    feed('authors/{id}', ofBook, (id) => ({ sort: 'title', reverse: false, author: id }), 'Books by an author'),
    feed('series/{id}', ofBook, (id) => ({ sort: 'title', reverse: false, series: id }), 'Books in a series'),
    search,
  ] as const;
}

async function booksFeed(
  app: Audiobooks,
  input: FeedRequest,
  wish: BrowseRequest,
  title: string,
  path: string,
  kept: Readonly<Record<string, string>>,
): Promise<Response> {
  const open = await openFeed(app, 'opds', input.params.secret);
  const found = await browseBooks(app, open, wish);
  const base = requestAddress(input, 'opds', input.params.secret);
  const entry = async (book: Book) => bookEntry(base, book, await playableFiles(app, book.id));
  const entries = await Promise.all(found.items.map(entry));
  const updated = found.items.map((book) => book.updated_at).reduce(later, toTime(0));
  const next = nextAddress(base, path, found.cursor, kept);
  return document(catalogueFeed({ base, path, kind: ACQUISITION, title, updated, next, entries }), ACQUISITION);
}

function fileRoutes(app: Audiobooks) {
  const bookBehind = async (secret: string, id: string): Promise<Book> =>
    bookOfFeed(app, await openFeed(app, 'opds', secret), id);
  const cover = <const Name extends string>(name: Name, size: 256 | 1024) =>
    defineRoute({
      ...feedRoute,
      path: `/opds/{secret}/books/{id}/${name}`,
      summary: 'Get the cover of a book in an OPDS feed',
      request: { params: ofBook },
      responses: { 200: bytes('image/jpeg') },
      errors: coverErrors,
      handler: async ({ params: { secret, id }, request }) =>
        feedCover(app, request, await bookBehind(secret, id), size),
    });
  const audio = defineRoute({
    ...feedRoute,
    path: '/opds/{secret}/books/{id}/audio/{file}',
    summary: 'Stream one audio file of a book in an OPDS feed, or a byte range of it',
    request: { params: ofBook.extend({ file: z.string().max(40) }) },
    responses: { 200: bytes('audio/mpeg'), 206: bytes('audio/mpeg') },
    handler: async ({ params: { secret, id, file }, request }) =>
      feedAudio(app, request, await bookBehind(secret, id), file),
  });
  return [cover('cover.jpg', 1024), cover('thumbnail.jpg', 256), audio] as const;
}

function nextAddress(
  base: string,
  path: string,
  cursor: string | undefined,
  kept: Readonly<Record<string, string>>,
): string | undefined {
  return cursor === undefined ? undefined : `${base}${path}?${new URLSearchParams({ ...kept, cursor }).toString()}`;
}

function later(left: string, right: string): string {
  return left > right ? left : right;
}
