import type { newFeed } from '../../operations/feeds.ts';
import type { Caller, ObjectValue } from '@holdfast/operation';
import { audiobookErrors } from '../../model/errors.ts';
import type { Audiobooks } from '../audiobooks.ts';
import * as feeds from '../feeds.ts';
import { ownerOf, readerOf, visibleBook } from '../listener.ts';

export async function listFeeds(audiobooks: Audiobooks, _input: object, caller: Caller) {
  const { userId } = await readerOf(audiobooks, caller);
  return { data: await feeds.listFeeds(audiobooks, userId), next_cursor: null };
}

export async function createFeed(audiobooks: Audiobooks, input: ObjectValue<typeof newFeed>, caller: Caller) {
  const { kind, book: given, origin } = input;
  const listener = await ownerOf(audiobooks, caller);
  if ((kind === 'book') !== (given !== undefined)) {
    throw audiobookErrors.FIELD_INVALID(
      kind === 'book' ? 'A podcast feed needs a book.' : 'An OPDS feed has all books, so it takes none.',
    );
  }
  const book = given === undefined ? undefined : await visibleBook(audiobooks.store, listener, given);
  if (!listener.can.download) throw audiobookErrors.RIGHTS_MISSING('Feeds need the right to download.');
  const request = { userId: listener.userId, kind, bookId: book?.id ?? null };
  const { feed, secret } = await feeds.createFeed(audiobooks, request);
  return { id: feed.id, url: feeds.feedAddress(origin, kind, secret) + (kind === 'book' ? '/rss.xml' : '') };
}

export async function revokeFeed(audiobooks: Audiobooks, { feed }: { readonly feed: string }, caller: Caller) {
  await feeds.revokeFeed(audiobooks, (await ownerOf(audiobooks, caller)).userId, feed);
  return {};
}
