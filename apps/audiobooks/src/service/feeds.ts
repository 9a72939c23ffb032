import type { Caller, ObjectValue } from '@holdfast/operation';
import type { newFeed } from '../operations/feeds.ts';
import { hashOfSecret, newSecret } from '../adapters/secrets.ts';
import type { Book, Segment } from '../model/book.ts';
import { audiobookErrors } from '../model/errors.ts';
import type { Feed } from '../model/records.ts';
import { readBook } from '../store/books.ts';
import { feeds } from '../store/definitions.ts';
import { activeSegments } from '../store/timelines.ts';
import { type Audiobooks, stampFor } from './audiobooks.ts';
import { type Listener, ownerOf, readerOf, rightsOf, visibleBook } from './listener.ts';

const FEEDS_MAX = 200;

export async function listFeeds(audiobooks: Audiobooks, _input: object, caller: Caller) {
  const { userId } = await readerOf(audiobooks, caller);
  const data = await audiobooks.reader.list(feeds.by.user, { user_id: userId }, { limit: FEEDS_MAX });
  return { data, next_cursor: null };
}

/** Creates a feed and returns its URL with the secret. Only a hash of the secret is stored. */
export async function createFeed(audiobooks: Audiobooks, input: ObjectValue<typeof newFeed>, caller: Caller) {
  const { kind, book: given, origin } = input;
  const listener = await ownerOf(audiobooks, caller);
  if ((kind === 'book') !== (given !== undefined)) {
    throw audiobookErrors.FIELD_INVALID(
      kind === 'book' ? 'A podcast feed needs a book.' : 'An OPDS feed contains all books; omit the book.',
    );
  }
  const book = given === undefined ? undefined : await visibleBook(audiobooks.store, listener, given);
  if (!listener.can.download) throw audiobookErrors.RIGHTS_MISSING('Feeds require download access.');
  const { at, newId } = stampFor(audiobooks);
  const secret = newSecret();
  const feed: Feed = {
    id: newId(),
    user_id: listener.userId,
    kind,
    book_id: book?.id ?? null,
    secret_hash: hashOfSecret(secret) ?? '',
    created_at: at,
    version: 1,
  };
  await audiobooks.store.transact(async (tx) => {
    const own = await tx.list(feeds.by.user, { user_id: listener.userId }, { limit: FEEDS_MAX });
    if (own.length >= FEEDS_MAX) throw audiobookErrors.FEEDS_FULL(`You already have ${FEEDS_MAX} feeds.`);
    await tx.insert(feeds, { id: feed.id }, feed);
  });
  return { id: feed.id, url: feedAddress(origin, kind, secret) + (kind === 'book' ? '/rss.xml' : '') };
}

export async function revokeFeed(audiobooks: Audiobooks, { feed: id }: { readonly feed: string }, caller: Caller) {
  const { userId } = await ownerOf(audiobooks, caller);
  await audiobooks.store.transact(async (tx) => {
    const feed = await tx.get(feeds, { id });
    if (feed?.user_id !== userId) throw audiobookErrors.FEED_NOT_FOUND(`There is no feed ${id}.`);
    await tx.delete(feeds, { id });
  });
  return {};
}

/** Returns the absolute URL of a feed, because podcast programs need the origin. */
export function feedAddress(origin: string, kind: Feed['kind'], secret: string): string {
  return `${origin.replace(/\/+$/u, '')}/api/audiobooks/${kind === 'book' ? 'feed' : 'opds'}/${secret}`;
}

/** A valid feed with its owner and the owner's current access. */
export interface OpenFeed extends Pick<Listener, 'userId' | 'libraries' | 'sees'> {
  readonly feed: Feed;
}

/** Throws the same error for a wrong secret, a revoked secret, another kind of feed, and an owner without access. */
export async function openFeed({ store, accounts }: Audiobooks, kind: Feed['kind'], secret: string): Promise<OpenFeed> {
  const hash = hashOfSecret(secret);
  const feed = hash === undefined ? undefined : await store.find(feeds.by.secret, { secret_hash: hash });
  if (feed === undefined || feed.kind !== kind) throw notFound();
  const [own, access] = await Promise.all([rightsOf(store, feed.user_id), accounts.access(feed.user_id)]);
  // A feed serves whole files, so its owner needs the right to download.
  if (!access.reads || !(own.download || access.manages)) throw notFound();
  const libraries = access.manages || own.libraries === 'all' ? 'all' : new Set(own.libraries);
  return {
    feed,
    userId: feed.user_id,
    libraries,
    sees: ({ library_id: library }) => libraries === 'all' || (library !== null && libraries.has(library)),
  };
}

/** Returns the book of a podcast feed. For an OPDS feed, returns the requested book if the feed's owner may see it. */
export async function bookOfFeed({ store }: Audiobooks, open: OpenFeed, bookId: string | null): Promise<Book> {
  const book = bookId === null ? undefined : await readBook(store, bookId);
  const isMeant = open.feed.kind === 'opds' || open.feed.book_id === bookId;
  if (book !== undefined && isMeant && book.deleted_at === null && open.sees(book)) return book;
  throw notFound();
}

/** Returns the files that can be played now, in playing order. */
export async function playableFiles({ store }: Audiobooks, bookId: string): Promise<readonly Segment[]> {
  return (await activeSegments(store, bookId)).filter(({ missing_since: missing }) => missing === null);
}

export function notFound(): Error {
  return audiobookErrors.FEED_NOT_FOUND('There is no feed at this link.');
}
