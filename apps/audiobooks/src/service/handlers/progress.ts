import type {
  bookmarkChanges,
  newBookmark,
  playbackReports,
  preferenceChanges,
  progressChanges,
} from '../../operations/progress.ts';
import type { ByBook, IfRevision, PageRequest } from '../../operations/fields.ts';
import type { Caller, ObjectValue } from '@holdfast/operation';
import type { Bookmark, Progress } from '../../model/playback.ts';
import { audiobookErrors } from '../../model/errors.ts';
import { books } from '../../store/definitions.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { type Listener, ownerOf, readerOf } from '../listener.ts';
import * as bookmarks from '../listening/bookmarks.ts';
import { changePreferences, preferencesOf } from '../listening/bookmarks.ts';
import * as progress from '../listening/progress.ts';
import { recordPlayback } from '../listening/record-playback.ts';
import { resolveBook } from '../queries/resolve.ts';
import { progressView } from '../views.ts';

interface OwnBook {
  readonly listener: Listener;
  readonly id: string;
}

/** Returns the caller, and a book that the caller may see, even if the book is deleted. */
async function ownBook(audiobooks: Audiobooks, caller: Caller, given: string): Promise<OwnBook> {
  const listener = await ownerOf(audiobooks, caller);
  return { listener, id: (await resolveBook(audiobooks.reader, given, (book) => listener.sees(book))).id };
}

export async function listProgress(audiobooks: Audiobooks, page: PageRequest, caller: Caller) {
  const { items, cursor } = await progress.listProgress(audiobooks, await readerOf(audiobooks, caller), page);
  const found = await audiobooks.reader.getMany(
    books,
    items.map(({ book_id: id }) => ({ id })),
  );
  return {
    data: items.map((entry, index) => ({ ...progressView(entry), title: found[index]?.title ?? null })),
    next_cursor: cursor ?? null,
  };
}

export async function showProgress(audiobooks: Audiobooks, { book }: ByBook, caller: Caller) {
  const { listener, id } = await ownBook(audiobooks, caller, book);
  const found = await progress.progressIn(audiobooks, listener, id);
  return found === undefined ? null : progressView(found);
}

function expecting(revision: number | undefined): (current: Progress | undefined) => void {
  return (current) => {
    if (revision === undefined || revision === current?.revision) return;
    throw audiobookErrors.REVISION_STALE(
      current === undefined ? 'The book was not started.' : `The progress has revision ${current.revision} now.`,
    );
  };
}

export async function setProgress(audiobooks: Audiobooks, input: ObjectValue<typeof progressChanges>, caller: Caller) {
  const { book, if_revision: revision, ...change } = input;
  const { listener, id } = await ownBook(audiobooks, caller, book);
  return progressView(await progress.setProgress(audiobooks, listener, id, { ...change, expect: expecting(revision) }));
}

export async function resetProgress(audiobooks: Audiobooks, input: ByBook & IfRevision, caller: Caller) {
  const { book, if_revision: revision } = input;
  const { listener, id } = await ownBook(audiobooks, caller, book);
  await progress.forgetProgress(audiobooks, listener, id, expecting(revision));
  return {};
}

export async function listJumps(audiobooks: Audiobooks, { book }: ByBook, caller: Caller) {
  const { listener, id } = await ownBook(audiobooks, caller, book);
  const jumps = await progress.jumpsIn(audiobooks, listener, id);
  return {
    data: jumps.map(({ book_position_ms: position, ...jump }) => ({ ...jump, position_ms: position })),
    next_cursor: null,
  };
}

export async function reportPlayback(
  audiobooks: Audiobooks,
  input: ObjectValue<typeof playbackReports>,
  caller: Caller,
) {
  const { events, sent_at: sentAt } = input;
  const recorded = await recordPlayback(audiobooks, await ownerOf(audiobooks, caller), events, sentAt);
  return { ...recorded, progress: recorded.progress.map(progressView) };
}

function bookmarkView({ id, book_id, book_position_ms: position, note, created_at }: Bookmark) {
  return { id, book_id, position_ms: position, note, created_at };
}

export async function listBookmarks(audiobooks: Audiobooks, { book, ...page }: ByBook & PageRequest, caller: Caller) {
  const { listener, id } = await ownBook(audiobooks, caller, book);
  const { items, cursor } = await bookmarks.listBookmarks(audiobooks, listener, id, page);
  return { data: items.map(bookmarkView), next_cursor: cursor ?? null };
}

export async function addBookmark(audiobooks: Audiobooks, input: ObjectValue<typeof newBookmark>, caller: Caller) {
  const { book, ...given } = input;
  const { listener, id } = await ownBook(audiobooks, caller, book);
  return bookmarkView(await bookmarks.addBookmark(audiobooks, listener, id, given));
}

export async function editBookmark(audiobooks: Audiobooks, input: ObjectValue<typeof bookmarkChanges>, caller: Caller) {
  const { bookmark, ...change } = input;
  return bookmarkView(
    await bookmarks.changeBookmark(audiobooks, await ownerOf(audiobooks, caller), bookmark.toUpperCase(), change),
  );
}

export async function removeBookmark(audiobooks: Audiobooks, input: { readonly bookmark: string }, caller: Caller) {
  const { bookmark } = input;
  await bookmarks.removeBookmark(audiobooks, await ownerOf(audiobooks, caller), bookmark.toUpperCase());
  return {};
}

export async function showPreferences(audiobooks: Audiobooks, _input: object, caller: Caller) {
  return preferencesOf(audiobooks, await readerOf(audiobooks, caller));
}

export async function setPreferences(
  audiobooks: Audiobooks,
  changes: ObjectValue<typeof preferenceChanges>,
  caller: Caller,
) {
  return changePreferences(audiobooks, await ownerOf(audiobooks, caller), changes);
}
