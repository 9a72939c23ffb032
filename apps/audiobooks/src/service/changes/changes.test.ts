import { beforeEach, describe, expect, it } from 'vitest';
import { scanFinds, scannedBook, scannedFile, temporaryAudiobooks } from '../../../test/audiobooks.ts';
import { listenTo, progressOf } from '../../../test/listening.ts';
import type { ScannedBook } from '../../model/scanned.ts';
import {
  authors,
  bookmarks,
  bookPlays,
  bookTallies,
  books,
  history,
  playlistItems,
  progress,
  series,
  workPlays,
  works,
} from '../../store/definitions.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { removeLibrary } from '../libraries.ts';
import { localListener } from '../listener.ts';
import { addBookmark } from '../listening/bookmarks.ts';
import { setProgress } from '../listening/progress.ts';
import { createPlaylist } from '../playlists/playlists.ts';
import { EMPTY_BOOK_TALLY } from '../../model/tally.ts';
import { verify } from '../verify.ts';
import { deleteBook, editBook, restoreBook } from './edit-book.ts';
import { mergeBooks } from './merge-books.ts';
import { editAuthor, mergeAuthors, mergeSeries } from './merge-groups.ts';
import { undoChange } from './undo-change.ts';

let audiobooks: Audiobooks;
const found = [
  scannedBook('A', [scannedFile('A/1.mp3', 1)], {
    title: 'One',
    authors: ['J.R.R. Tolkien'],
    series: [{ name: 'Ring', sequence: '1' }],
  }),
  scannedBook('B', [scannedFile('B/1.mp3', 2)], {
    title: 'Two',
    authors: ['John Tolkien'],
    series: [{ name: 'The Rings', sequence: '2' }],
  }),
  scannedBook('C', [scannedFile('C/1.mp3', 3)], { title: 'One', authors: ['John Tolkien'], narrators: ['Other'] }),
];

beforeEach(async () => {
  audiobooks = await temporaryAudiobooks();
  await scanFinds(audiobooks, found);
});

const titled = async (title: string, folder: string) => {
  const same = await audiobooks.store.list(books.by.title, { normalized_title: title.toLowerCase() });
  return same.find((book) => book.folder === folder)!;
};
const expectSound = async () => expect((await verify(audiobooks, false)).problems).toEqual([]);

describe('an edit', () => {
  it('changes, locks, remembers, and is undone once', async () => {
    const { id } = await titled('One', 'A');
    const { value, operation } = await editBook(audiobooks, {
      book: id,
      set: { title: 'Uno', authors: ['J. R. R. Tolkien'], year: 1954, isbn: '0-8044-2957-X' },
      by: 'me',
    });
    expect(value).toMatchObject({ title: 'Uno', published_year: 1954, isbn13: '9780804429573', isbn10: '080442957X' });
    expect(value.locks).toEqual(['authors', 'isbn', 'title', 'year']);
    const entries = await audiobooks.store.list(history, { book_id: id });
    expect(entries.map(({ field }) => field).sort()).toEqual(['isbn', 'title', 'year']);
    await expectSound();
    const undone = await undoChange(audiobooks, operation, 'me');
    expect(undone).toMatchObject({ type: 'undo', undoes: operation.id });
    expect(await titled('One', 'A')).toMatchObject({ id, title: 'One', published_year: null, isbn13: null, locks: [] });
    await expect(undoChange(audiobooks, operation, 'me')).rejects.toMatchObject({ code: 'NOT_UNDOABLE' });
    await expectSound();
  });

  it('is not undone over a later one', async () => {
    const { id } = await titled('One', 'A');
    const first = await editBook(audiobooks, { book: id, set: { year: 1 }, by: 'me' });
    await editBook(audiobooks, { book: id, set: { year: 2 }, by: 'me' });
    const revision = await audiobooks.store.revision();
    await expect(undoChange(audiobooks, first.operation, 'me')).rejects.toMatchObject({ code: 'UNDO_CONFLICT' });
    expect(await audiobooks.store.revision()).toBe(revision);
  });

  it('is refused when it makes no sense, or when the book changed meanwhile', async () => {
    const { id, revision } = await titled('One', 'A');
    const edit = (set: Record<string, unknown>) => editBook(audiobooks, { book: id, set, by: 'me' });
    await expect(edit({ colour: 'red' })).rejects.toMatchObject({ code: 'FIELD_UNKNOWN' });
    await expect(edit({ title: ' ' })).rejects.toMatchObject({ code: 'FIELD_INVALID' });
    await expect(edit({ year: 1.5 })).rejects.toMatchObject({ code: 'FIELD_INVALID' });
    await edit({ year: 1_999 });
    const late = editBook(audiobooks, { book: id, set: { year: 3 }, ifRevision: revision, by: 'me' });
    await expect(late).rejects.toMatchObject({ code: 'REVISION_STALE', kind: 'conflict' });
  });

  it('keeps an invalid ISBN as it was written', async () => {
    const { id } = await titled('One', 'A');
    const { value } = await editBook(audiobooks, { book: id, set: { isbn: '123' }, by: 'me' });
    expect(value).toMatchObject({ isbn10: null, isbn13: null, isbn_invalid: '123' });
  });

  it('moves a book to another work with its plays, and the empty work goes', async () => {
    const one = await titled('One', 'A');
    const other = await titled('One', 'C');
    expect(other.work_id).not.toBe(one.work_id);
    await audiobooks.store.transact(async (tx) => {
      const tally = { ...EMPTY_BOOK_TALLY, plays: 3 };
      await tx.put(bookTallies, { side: 'now', user: 'U', book: other.id }, tally);
      tx.add(bookPlays, { book: other.id }, 3);
      tx.add(workPlays, { work: other.work_id! }, 3);
    });
    await editBook(audiobooks, { book: other.id, work: one.work_id!, by: 'me' });
    expect(await audiobooks.store.get(workPlays, { work: one.work_id! })).toBe(3);
    expect(await audiobooks.store.get(workPlays, { work: other.work_id! })).toBe(0);
    expect(await audiobooks.store.get(works, { id: other.work_id! })).toBeUndefined();
    // A person's choice survives any scan.
    const retagged = { ...found[2]!, title: 'Renamed', files: [scannedFile('C/1.mp3', 3, { mtimeNs: '9' })] };
    await scanFinds(audiobooks, [found[0]!, found[1]!, retagged]);
    expect((await titled('Renamed', 'C')).work_id).toBe(one.work_id);
    await expectSound();
  });
});

describe('authors', () => {
  it('with one person under two names become one, and two again', async () => {
    const { operation } = await mergeAuthors(audiobooks, { keep: 'JRR Tolkien', others: ['John Tolkien'], by: 'me' });
    const [only, ...others] = await audiobooks.store.list(authors, {});
    expect(others).toEqual([]);
    expect(only).toMatchObject({ name: 'J.R.R. Tolkien', aliases: ['John Tolkien'] });
    expect(await audiobooks.store.list(books.by.author, { author: only!.id })).toHaveLength(3);
    // Both narrations of One are now editions of one work.
    expect((await titled('One', 'A')).work_id).toBe((await titled('One', 'C')).work_id);
    await expectSound();
    // Scanning the other name again must not restore the merged author.
    await scanFinds(audiobooks, [
      ...found,
      scannedBook('D', [scannedFile('D/1.mp3', 9)], { authors: ['john tolkien'] }),
    ]);
    expect(await audiobooks.store.list(authors, {})).toHaveLength(1);
    await undoChange(audiobooks, operation, 'me');
    expect(await audiobooks.store.list(authors, {})).toHaveLength(2);
    expect((await titled('One', 'C')).authors.map(({ name }) => name)).toEqual(['John Tolkien']);
    await expectSound();
  });

  it('may have the same name', async () => {
    const [first] = await audiobooks.store.list(authors, {});
    const twin = { ...first!, id: audiobooks.newId() };
    await audiobooks.store.transact((tx) => tx.put(authors, { id: twin.id }, twin));
    expect(await audiobooks.store.list(authors.by.name, { normalized_name: first!.normalized_name })).toHaveLength(2);
    await expectSound();
  });

  it('are renamed everywhere', async () => {
    await editAuthor(audiobooks, { author: 'John Tolkien', name: 'Jack T.', addAliases: ['Jacky'] });
    expect((await titled('Two', 'B')).authors[0]).toMatchObject({ name: 'Jack T.' });
    const [author] = await audiobooks.store.list(authors.by.alias, { alias: 'jacky' });
    expect(author).toMatchObject({ name: 'Jack T.', aliases: ['Jacky', 'John Tolkien'] });
    await expectSound();
  });
});

describe('series', () => {
  it('become one, and two again', async () => {
    const { operation } = await mergeSeries(audiobooks, { keep: 'Ring', others: ['The Rings'], by: 'me' });
    expect(await audiobooks.store.list(series, {})).toHaveLength(1);
    expect((await titled('Two', 'B')).series).toMatchObject([{ name: 'Ring', sequence: '2' }]);
    await expectSound();
    await undoChange(audiobooks, operation, 'me');
    expect((await titled('Two', 'B')).series).toMatchObject([{ name: 'The Rings', sequence: '2' }]);
    await expectSound();
  });
});

describe('a book that is there twice', () => {
  it('becomes one with the place of whoever listened, and can be parted again', async () => {
    const keep = await titled('One', 'A');
    const other = await titled('One', 'C');
    await listenTo(audiobooks, keep.id, 0, 11, 'V');
    const own = (await progressOf(audiobooks, keep.id, 'V'))!;
    const earlier = { ...own, updated_at: '2025-12-31T00:00:00.000Z' };
    const item = (book: string) => ({ book_id: book, added_at: own.updated_at, version: 1 }) as const;
    const ann = localListener('U');
    const { id: both } = await createPlaylist(audiobooks, ann, { name: 'Both' });
    const { id: single } = await createPlaylist(audiobooks, ann, { name: 'One' });
    const list = async () => (await audiobooks.store.list(playlistItems, { playlist: both })).map((one) => one.book_id);
    await audiobooks.store.transact(async (tx) => {
      await tx.put(progress, { user_id: 'V', book_id: keep.id }, earlier);
      await tx.put(playlistItems, { playlist: both, position: 1 }, item(keep.id));
      await tx.put(playlistItems, { playlist: both, position: 2 }, item(other.id));
      await tx.put(playlistItems, { playlist: single, position: 1 }, item(other.id));
    });
    for (const user of ['U', 'V', 'W']) await listenTo(audiobooks, other.id, 0, 33, user);
    const mark = await addBookmark(audiobooks, localListener('U'), other.id, { position_ms: 5_000, note: 'here' });
    const { operation } = await mergeBooks(audiobooks, { keep: keep.id, other: other.id, by: 'me' });
    expect(await progressOf(audiobooks, keep.id)).toMatchObject({ position_seconds: 33 });
    expect(await progressOf(audiobooks, keep.id, 'V')).toMatchObject({ position_seconds: 33 });
    expect(await audiobooks.store.list(books.by.sortTitle, {})).toHaveLength(2);
    expect(await list()).toEqual([keep.id]);
    expect(await audiobooks.store.list(bookmarks, {})).toHaveLength(2);
    await expectSound();
    await setProgress(audiobooks, localListener('W'), keep.id, { position_ms: 44_000 });
    await undoChange(audiobooks, operation, 'me');
    expect(await audiobooks.store.list(books.by.sortTitle, {})).toHaveLength(3);
    expect(await progressOf(audiobooks, keep.id)).toBeUndefined();
    expect(await progressOf(audiobooks, keep.id, 'V')).toMatchObject({
      position_seconds: 11,
      updated_at: earlier.updated_at,
    });
    // Progress made since the merge stays.
    expect(await progressOf(audiobooks, keep.id, 'W')).toMatchObject({ position_seconds: 44 });
    expect(await list()).toEqual([keep.id, other.id]);
    expect(await audiobooks.store.list(playlistItems, { playlist: single })).toEqual([item(other.id)]);
    expect(await audiobooks.store.list(bookmarks, {})).toEqual([mark]);
    await expectSound();
  });
});

describe('deleting', () => {
  it('takes a book off the lists and brings it back', async () => {
    const { id } = await titled('Two', 'B');
    await deleteBook(audiobooks, id);
    expect(await audiobooks.store.list(books.by.sortTitle, {})).toHaveLength(2);
    expect(await audiobooks.store.list(books.by.deleted, {})).toHaveLength(1);
    await expectSound();
    await restoreBook(audiobooks, id);
    expect(await audiobooks.store.list(books.by.sortTitle, {})).toHaveLength(3);
    await expectSound();
  });

  it('is taken back by no scan, whatever changes about its files, but by asking for the book by its title', async () => {
    const { id } = await titled('Two', 'B');
    await deleteBook(audiobooks, id);
    const [one, two, three] = found as [ScannedBook, ScannedBook, ScannedBook];
    const cover = { kind: 'file', path: 'B/c.jpg', mime: 'image/jpeg', offset: 0, length: 9 } as const;
    expect(await scanFinds(audiobooks, [one, { ...two, cover }, three])).toMatchObject({ changed: 0, stayDeleted: 1 });
    const moved = { ...two, folder: 'New', files: [scannedFile('New/1.mp3', 2)] };
    await scanFinds(audiobooks, [one, moved, three]);
    expect(await audiobooks.store.list(books.by.deleted, {})).toMatchObject([{ id, folder: 'New' }]);
    await restoreBook(audiobooks, 'two');
    expect(await titled('Two', 'New')).toMatchObject({ id, missing_since: null });
    await expectSound();
  });

  it('does not outlive a library that was removed: found in another one, its books are listed', async () => {
    const { id, library_id: library } = await titled('Two', 'B');
    await deleteBook(audiobooks, (await titled('One', 'A')).id);
    await removeLibrary(audiobooks, { library: library! }, { name: 'me', via: 'test', face: 'cli' });
    expect(await audiobooks.store.list(books.by.sortTitle, {})).toEqual([]);
    await scanFinds(audiobooks, found, '/elsewhere');
    expect(await titled('Two', 'B')).toMatchObject({ id, deleted_at: null });
    expect(await audiobooks.store.list(books.by.deleted, {})).toMatchObject([{ title: 'One', folder: 'A' }]);
    await expectSound();
  });
});

describe('verify', () => {
  it('notices wrong sums, counts and fields, and corrects them', async () => {
    const { id } = await titled('Two', 'B');
    const book = await audiobooks.store.get(books, { id });
    await audiobooks.store.transact(async (tx) => {
      await tx.put(books, { id }, { ...book!, duration_ms: 1, author_sort: 'zzz' });
      tx.writeKey('meta:count:all:-', '77');
      tx.writeKey('meta:count:tag:gone', '5');
    });
    const { problems } = await verify(audiobooks, false);
    expect(problems.map(({ key }) => key).sort()).toEqual(
      [`b:${id}`, `b:${id}`, 'meta:count:all:-', 'meta:count:tag:gone'].sort(),
    );
    await verify(audiobooks, true);
    await expectSound();
  });
});
