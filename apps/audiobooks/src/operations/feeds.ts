import { choice, nullable, object, optional, pageOf, text, time } from '@holdfast/operation';
import { audiobookErrors } from '../model/errors.ts';
import { defineOperation, READ } from './fields.ts';

const feed = object({ id: text(), kind: choice(['book', 'opds']), book_id: nullable(text()), created_at: time() });
const feedReason = { mcp: 'A feed link is a secret' } as const;

export const listFeeds = defineOperation({
  name: 'feed.list',
  summary: "List the caller's private feeds, without their links",
  permission: READ,
  input: {},
  output: pageOf(feed),
  absent: feedReason,
  run: async () => (await import('../service/feeds.ts')).listFeeds,
});

export const newFeed = {
  kind: choice(['book', 'opds'], 'Podcast of one book, or OPDS catalogue of all books'),
  book: optional(text('Book of a podcast feed: id or title', { min: 1, max: 500, label: 'book' })),
  origin: text('URL of the server, for example https://books.example.org', { max: 300, label: 'url' }),
} as const;

export const createFeed = defineOperation({
  name: 'feed.create',
  summary: 'Create a private feed of one book (podcast) or of all books (OPDS); its link is shown once',
  description: 'Anyone with the link can listen without signing in, until the feed is revoked.',
  permission: READ,
  input: newFeed,
  output: object({ id: text(), url: text() }),
  errors: [
    audiobookErrors.BOOK_NOT_FOUND,
    audiobookErrors.FIELD_INVALID,
    audiobookErrors.RIGHTS_MISSING,
    audiobookErrors.FEEDS_FULL,
  ],
  absent: feedReason,
  run: async () => (await import('../service/feeds.ts')).createFeed,
});

export const revokeFeed = defineOperation({
  name: 'feed.revoke',
  summary: 'Revoke a private feed; its link stops working',
  permission: READ,
  input: { feed: text('Feed id', { min: 1, max: 64, label: 'feed' }) },
  output: object({}),
  errors: [audiobookErrors.FEED_NOT_FOUND],
  absent: feedReason,
  run: async () => (await import('../service/feeds.ts')).revokeFeed,
});
