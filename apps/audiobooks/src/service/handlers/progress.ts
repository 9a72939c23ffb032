import type { Caller, InputOf, OutputOf } from '@holdfast/operation';
import type { Bookmark, Progress } from '../../model/playback.ts';
import { audiobookErrors } from '../../model/errors.ts';
import type * as operations from '../../operations/progress.ts';
import { books } from '../../store/definitions.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { type Listener, ownerOf, readerOf } from '../listener.ts';
import * as bookmarks from '../listening/bookmarks.ts';
import { changePreferences, preferencesOf } from '../listening/preferences.ts';
import * as progress from '../listening/progress.ts';
import { recordPlayback } from '../listening/record-playback.ts';
import { resolveBook } from '../queries/resolve.ts';
import { progressView } from '../views.ts';

interface OwnBook {
  readonly listener: Listener;
  readonly id: string;
}

/** Returns the caller and a book they may see, deleted or not. */
async function ownBook(audiobooks: Audiobooks, caller: Caller, given: string): Promise<OwnBook> {
  const listener = await ownerOf(audiobooks, caller);
  return { listener, id: (await resolveBook(audiobooks.store, given, (book) => listener.sees(book))).id };
}

export async function listProgress(
  audiobooks: Audiobooks,
  page: InputOf<typeof operations.listProgress>,
  caller: Caller,
): Promise<OutputOf<typeof operations.listProgress>> {
  const { items, cursor } = await progress.listProgress(audiobooks, await readerOf(audiobooks, caller), page);
  const found = await audiobooks.store.getMany(
    books,
    items.map(({ book_id: id }) => ({ id })),
  );
  return {
    data: items.map((entry, index) => ({ ...progressView(entry), title: found[index]?.title ?? null })),
    next_cursor: cursor ?? null,
  };
}

export async function showProgress(
  audiobooks: Audiobooks,
  { book }: InputOf<typeof operations.showProgress>,
  caller: Caller,
): Promise<OutputOf<typeof operations.showProgress>> {
  const { listener, id } = await ownBook(audiobooks, caller, book);
  const found = await progress.progressIn(audiobooks, listener, id);
  return found === undefined ? null : progressView(found);
}

function expecting(revision: number | undefined): (current: Progress | undefined) => void {
  return (current) => {
    if (revision === undefined || revision === current?.revision) return;
    throw audiobookErrors.REVISION_STALE(
      current === undefined ? 'The book was not started.' : `The progress has revision ${current.revision}.`,
    );
  };
}

export async function setProgress(
  audiobooks: Audiobooks,
  { book, if_revision: revision, ...change }: InputOf<typeof operations.setProgress>,
  caller: Caller,
): Promise<OutputOf<typeof operations.setProgress>> {
  const { listener, id } = await ownBook(audiobooks, caller, book);
  return progressView(await progress.setProgress(audiobooks, listener, id, { ...change, expect: expecting(revision) }));
}

export async function resetProgress(
  audiobooks: Audiobooks,
  { book, if_revision: revision }: InputOf<typeof operations.resetProgress>,
  caller: Caller,
): Promise<object> {
  const { listener, id } = await ownBook(audiobooks, caller, book);
  await progress.forgetProgress(audiobooks, listener, id, expecting(revision));
  return {};
}

export async function listJumps(
  audiobooks: Audiobooks,
  { book }: InputOf<typeof operations.listJumps>,
  caller: Caller,
): Promise<OutputOf<typeof operations.listJumps>> {
  const { listener, id } = await ownBook(audiobooks, caller, book);
  const jumps = await progress.jumpsIn(audiobooks, listener, id);
  return {
    data: jumps.map(({ book_position_ms: position, ...jump }) => ({ ...jump, position_ms: position })),
    next_cursor: null,
  };
}

export async function reportPlayback(
  audiobooks: Audiobooks,
  { events, sent_at: sentAt }: InputOf<typeof operations.reportPlayback>,
  caller: Caller,
): Promise<OutputOf<typeof operations.reportPlayback>> {
  const recorded = await recordPlayback(audiobooks, await ownerOf(audiobooks, caller), events, sentAt);
  return { ...recorded, progress: recorded.progress.map(progressView) };
}

type BookmarkView = OutputOf<typeof operations.addBookmark>;

function bookmarkView({ id, book_id, book_position_ms: position, note, created_at }: Bookmark): BookmarkView {
  return { id, book_id, position_ms: position, note, created_at };
}

export async function listBookmarks(
  audiobooks: Audiobooks,
  { book, ...page }: InputOf<typeof operations.listBookmarks>,
  caller: Caller,
): Promise<OutputOf<typeof operations.listBookmarks>> {
  const { listener, id } = await ownBook(audiobooks, caller, book);
  const { items, cursor } = await bookmarks.listBookmarks(audiobooks, listener, id, page);
  return { data: items.map(bookmarkView), next_cursor: cursor ?? null };
}

export async function addBookmark(
  audiobooks: Audiobooks,
  { book, ...given }: InputOf<typeof operations.addBookmark>,
  caller: Caller,
): Promise<BookmarkView> {
  const { listener, id } = await ownBook(audiobooks, caller, book);
  return bookmarkView(await bookmarks.addBookmark(audiobooks, listener, id, given));
}

export async function editBookmark(
  audiobooks: Audiobooks,
  { bookmark, ...change }: InputOf<typeof operations.editBookmark>,
  caller: Caller,
): Promise<BookmarkView> {
  return bookmarkView(
    await bookmarks.changeBookmark(audiobooks, await ownerOf(audiobooks, caller), bookmark.toUpperCase(), change),
  );
}

export async function removeBookmark(
  audiobooks: Audiobooks,
  { bookmark }: InputOf<typeof operations.removeBookmark>,
  caller: Caller,
): Promise<object> {
  await bookmarks.removeBookmark(audiobooks, await ownerOf(audiobooks, caller), bookmark.toUpperCase());
  return {};
}

export async function showPreferences(
  audiobooks: Audiobooks,
  _input: object,
  caller: Caller,
): Promise<OutputOf<typeof operations.showPreferences>> {
  return preferencesOf(audiobooks, await readerOf(audiobooks, caller));
}

export async function setPreferences(
  audiobooks: Audiobooks,
  changes: InputOf<typeof operations.setPreferences>,
  caller: Caller,
): Promise<OutputOf<typeof operations.setPreferences>> {
  return changePreferences(audiobooks, await ownerOf(audiobooks, caller), changes);
}
