import { hashOfSecret, newSecret } from '../adapters/secret.ts';
import type { Book } from '../model/book.ts';
import { audiobookErrors } from '../model/errors.ts';
import type { Feed } from '../model/feed.ts';
import type { AccountReader } from '../store/accounts.ts';
import { readBook } from '../store/books.ts';
import { feeds } from '../store/definitions.ts';
import { type Audiobooks, stampFor } from './audiobooks.ts';
import { rightsOf } from './rights.ts';

/** More than anybody has programs for. */
const FEEDS_MAX = 200;

export interface NewFeed {
  readonly userId: string;
  readonly kind: Feed['kind'];
  readonly bookId: string | null;
}

/** The secret is in the answer and nowhere else. */
export async function createFeed(
  audiobooks: Audiobooks,
  { userId, kind, bookId }: NewFeed,
): Promise<{ readonly feed: Feed; readonly secret: string }> {
  const { at, newId } = stampFor(audiobooks);
  const secret = newSecret();
  const feed: Feed = {
    id: newId(),
    user_id: userId,
    kind,
    book_id: bookId,
    secret_hash: hashOfSecret(secret) ?? '',
    created_at: at,
    version: 1,
  };
  await audiobooks.store.transact(async (tx) => {
    const own = await tx.list(feeds.by.user, { user_id: userId }, { limit: FEEDS_MAX });
    if (own.length >= FEEDS_MAX) throw audiobookErrors.FEEDS_FULL(`You have ${FEEDS_MAX} private links already.`);
    await tx.insert(feeds, { id: feed.id }, feed);
  });
  return { feed, secret };
}

export function listFeeds({ store }: Audiobooks, userId: string): Promise<readonly Feed[]> {
  return store.list(feeds.by.user, { user_id: userId }, { limit: FEEDS_MAX });
}

/** From this moment on the link leads nowhere. */
export function revokeFeed({ store }: Audiobooks, userId: string, id: string): Promise<void> {
  return store.transact(async (tx) => {
    const feed = await tx.get(feeds, { id });
    if (feed?.user_id !== userId) throw audiobookErrors.FEED_NOT_FOUND(`There is no link ${id}.`);
    await tx.delete(feeds, { id });
  });
}

/** A link in use: whose it is, and what they may see at this moment. */
export interface OpenFeed {
  readonly feed: Feed;
  readonly userId: string;
  readonly libraries: 'all' | ReadonlySet<string>;
  sees(libraryId: string | null): boolean;
}

/** The same answer for a wrong secret, a revoked one, one of another kind, and one whose owner may not listen any more. */
export async function openFeed(
  { store }: Audiobooks,
  people: AccountReader,
  kind: Feed['kind'],
  secret: string,
): Promise<OpenFeed> {
  const hash = hashOfSecret(secret);
  const feed = hash === undefined ? undefined : await store.find(feeds.by.secret, { secret_hash: hash });
  if (feed === undefined || feed.kind !== kind) throw notFound();
  const [own, access] = await Promise.all([rightsOf(store, feed.user_id), people.access(feed.user_id)]);
  // Whole files leave through a link, to programs that nobody here knows.
  if (!access.reads || !(own.download || access.manages)) throw notFound();
  const libraries = access.manages || own.libraries === 'all' ? 'all' : new Set(own.libraries);
  return {
    feed,
    userId: feed.user_id,
    libraries,
    sees: (library) => libraries === 'all' || (library !== null && libraries.has(library)),
  };
}

/** A book behind a link: the one that it is for, or any that its owner may see. */
export async function bookOfFeed({ store }: Audiobooks, open: OpenFeed, bookId: string | null): Promise<Book> {
  const book = bookId === null ? undefined : await readBook(store, bookId);
  const isMeant = open.feed.kind === 'opds' || open.feed.book_id === bookId;
  if (book !== undefined && isMeant && book.deleted_at === null && open.sees(book.library_id)) return book;
  throw notFound();
}

function notFound(): Error {
  return audiobookErrors.FEED_NOT_FOUND('This link leads nowhere.');
}
