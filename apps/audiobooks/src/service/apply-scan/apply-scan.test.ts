import { describe, expect, it } from 'vitest';
import { scanFinds, scannedBook, scannedFile, temporaryAudiobooks, unplug } from '../../../test/audiobooks.ts';
import { listenTo, progressOf } from '../../../test/listening.ts';
import { assets, books, bookCounts, history, segments } from '../../store/definitions.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { editBook } from '../changes/edit-book.ts';

const twoFiles = [scannedFile('Ann/Dune/1.mp3', 1), scannedFile('Ann/Dune/2.mp3', 2)];

async function onlyBook(audiobooks: Audiobooks) {
  const [book, ...others] = await audiobooks.store.list(books, {});
  expect(others).toEqual([]);
  return book!;
}

describe('a scan', () => {
  it('adds books with people, series, work and counts, and writes nothing the second time', async () => {
    const audiobooks = await temporaryAudiobooks();
    const found = [
      scannedBook('Ann/Dune', twoFiles, { series: [{ name: 'Saga: One', sequence: '1.5' }], genres: ['SF'] }),
    ];
    expect(await scanFinds(audiobooks, found)).toMatchObject({ added: 1, changed: 0 });
    const book = await onlyBook(audiobooks);
    expect(book).toMatchObject({
      title: 'Dune',
      narrator: 'Rita Reader',
      series_position: 1.5,
      duration_ms: 120_003,
      segment_count: 2,
      generation: 1,
    });
    expect(book.work_id).not.toBeNull();
    expect(await audiobooks.store.get(bookCounts, { kind: 'all', value: '-' })).toBe(1);
    const revision = await audiobooks.store.revision();
    expect(await scanFinds(audiobooks, found)).toMatchObject({ added: 0, changed: 0, missing: 0 });
    expect(await audiobooks.store.revision()).toBe(revision);
    expect((await audiobooks.store.verify()).problems).toEqual([]);
  });

  it('knows a renamed folder by its files', async () => {
    const audiobooks = await temporaryAudiobooks();
    await scanFinds(audiobooks, [scannedBook('Ann/Dune', twoFiles)]);
    const { id } = await onlyBook(audiobooks);
    const moved = [scannedFile('New/Place/a.mp3', 1), scannedFile('New/Place/b.mp3', 2)];
    await scanFinds(audiobooks, [scannedBook('New/Place', moved)]);
    const book = await onlyBook(audiobooks);
    expect(book).toMatchObject({ id, folder: 'New/Place', missing_since: null, generation: 1 });
  });

  it('clears what its sources no longer say, except locked and edited values, and records it', async () => {
    const audiobooks = await temporaryAudiobooks();
    const provenance = {
      series: 'folder',
      narrators: 'tag',
      description: 'text',
      year: 'folder',
      publisher: 'tag',
    } as const;
    const full = { series: [{ name: 'Saga', sequence: '1' }], description: 'Sand.', year: 1965, publisher: 'Ace' };
    await scanFinds(audiobooks, [scannedBook('Ann/Saga/Dune', twoFiles, { ...full, provenance })]);
    const { id } = await onlyBook(audiobooks);
    await editBook(audiobooks, { book: id, set: { publisher: 'Chilton' }, lock: ['year'], by: 'test' });
    const renamed = twoFiles.map((file) => ({ ...file, path: file.path.replace('Ann/', '') }));
    const bare = { narrators: [], provenance: { title: 'folder' } } as const;
    // A book that lacks a file keeps its values.
    await scanFinds(audiobooks, [scannedBook('Dune', renamed.slice(0, 1), bare)]);
    expect(await onlyBook(audiobooks)).toMatchObject({ narrators: ['Rita Reader'], description: 'Sand.' });
    await scanFinds(audiobooks, [scannedBook('Dune', renamed, bare)]);
    expect(await onlyBook(audiobooks)).toMatchObject({
      title: 'Dune',
      series: [],
      narrators: [],
      description: null,
      published_year: 1965,
      publisher: 'Chilton',
    });
    const entries = await audiobooks.store.list(history, { book_id: id });
    expect(entries.filter(({ after }) => after === null || JSON.stringify(after) === '[]')).toMatchObject([
      { field: 'description', before: 'Sand.', source: 'text' },
      { field: 'narrators', before: ['Rita Reader'], source: 'tag' },
      { field: 'series', before: [{ name: 'Saga' }], source: 'folder' },
    ]);
    const revision = await audiobooks.store.revision();
    await scanFinds(audiobooks, [scannedBook('Dune', renamed, bare)]);
    expect(await audiobooks.store.revision()).toBe(revision);
  });

  it('knows files by their sound when a copy to another disk changed everything else', async () => {
    const audiobooks = await temporaryAudiobooks();
    await scanFinds(audiobooks, [scannedBook('Ann/Dune', twoFiles)]);
    const { id } = await onlyBook(audiobooks);
    const copied = twoFiles.map((file, index) => ({
      ...file,
      path: `Else/${index}.mp3`,
      device: '9',
      inode: String(70 + index),
      mtimeNs: '18',
    }));
    await scanFinds(audiobooks, [scannedBook('Else', copied)]);
    expect((await onlyBook(audiobooks)).id).toBe(id);
  });

  it('does not take a copy for the original', async () => {
    const audiobooks = await temporaryAudiobooks();
    const copy = { ...scannedFile('Copy/1.mp3', 1), inode: '99' };
    const first = [scannedBook('Ann/Dune', [twoFiles[0]!]), scannedBook('Copy', [copy])];
    await scanFinds(audiobooks, first);
    expect(await audiobooks.store.list(books, {})).toHaveLength(2);
    // A copy in another library is also a separate book, whether or not its path is the same.
    const again = scannedBook('Ann/Dune', [{ ...twoFiles[0]!, device: '9' }]);
    const elsewhere = scannedBook('Backup/Dune', [{ ...copy, path: 'Backup/Dune/1.mp3', device: '9' }]);
    expect(await scanFinds(audiobooks, [again, elsewhere], '/other')).toMatchObject({ added: 2, changed: 0 });
    expect(await scanFinds(audiobooks, first)).toMatchObject({ changed: 0, missing: 0 });
    // A file that left one library for another was moved. If it appears in the first library again, it is a copy.
    expect(await scanFinds(audiobooks, [], '/other')).toMatchObject({ missing: 2 });
    expect(await scanFinds(audiobooks, [again, elsewhere], '/third')).toMatchObject({ added: 0, changed: 2 });
    expect(await scanFinds(audiobooks, [again, elsewhere], '/other')).toMatchObject({ added: 2 });
    unplug(audiobooks, '/third');
    expect(await scanFinds(audiobooks, [again], '/fourth')).toMatchObject({ added: 0, changed: 1 });
    expect(await scanFinds(audiobooks, [again, elsewhere], '/third')).toMatchObject({ added: 1 });
    expect((await audiobooks.store.verify()).problems).toEqual([]);
  });

  it('does not believe in a number that the file system gave to another file', async () => {
    const audiobooks = await temporaryAudiobooks();
    await scanFinds(audiobooks, [scannedBook('Ann/Dune', [scannedFile('Ann/Dune/1.mp3', 1)])]);
    const reused = scannedFile('Other/x.mp3', 1, { quickHash: 'another', durationMs: 400_000 });
    await scanFinds(audiobooks, [scannedBook('Other', [reused])]);
    expect(await audiobooks.store.list(books, {})).toHaveLength(2);
  });

  it('is not misled by inodes that go from each file to the next, as a tool that rewrites them makes them do', async () => {
    const audiobooks = await temporaryAudiobooks();
    await scanFinds(audiobooks, [scannedBook('Ann/Dune', twoFiles)]);
    const before = await audiobooks.store.list(segments, {});
    const rewritten = [
      { ...twoFiles[0]!, inode: '5000', quickHash: 'new1' },
      { ...twoFiles[1]!, inode: twoFiles[0]!.inode, quickHash: 'new2' },
    ];
    await scanFinds(audiobooks, [scannedBook('Ann/Dune', rewritten)]);
    const after = await audiobooks.store.list(segments, {});
    expect(after.map(({ id, file_path: path }) => [id, path])).toEqual(
      before.map(({ id, file_path: path }) => [id, path]),
    );
  });

  it('keeps everyone in place when files swap names or come in between', async () => {
    const audiobooks = await temporaryAudiobooks();
    await scanFinds(audiobooks, [scannedBook('Ann/Dune', twoFiles)]);
    const { id } = await onlyBook(audiobooks);
    await listenTo(audiobooks, id, 1, 10);
    const swapped = [scannedFile('Ann/Dune/1.mp3', 2), scannedFile('Ann/Dune/2.mp3', 1)];
    await scanFinds(audiobooks, [scannedBook('Ann/Dune', swapped)]);
    expect(await progressOf(audiobooks, id)).toMatchObject({
      position_seconds: 10,
      book_position_ms: 10_000,
      generation: 2,
    });
    const more = [scannedFile('Ann/Dune/0.mp3', 7), ...swapped];
    await scanFinds(audiobooks, [scannedBook('Ann/Dune', more)]);
    expect(await progressOf(audiobooks, id)).toMatchObject({ position_seconds: 10, book_position_ms: 70_007 });
    expect((await audiobooks.store.verify()).problems).toEqual([]);
  });

  it('carries the place over when all files were replaced by one', async () => {
    const audiobooks = await temporaryAudiobooks();
    await scanFinds(audiobooks, [scannedBook('Ann/Dune', twoFiles)]);
    const { id } = await onlyBook(audiobooks);
    await listenTo(audiobooks, id, 1, 10);
    const merged = scannedFile('Ann/Dune/Dune.m4b', 50, { durationMs: 120_040, format: 'm4b' });
    await scanFinds(audiobooks, [scannedBook('Ann/Dune', [merged])]);
    expect(await onlyBook(audiobooks)).toMatchObject({ id, segment_count: 1, duration_ms: 120_040 });
    expect(await progressOf(audiobooks, id)).toMatchObject({ position_seconds: 70.001, book_position_ms: 70_001 });
  });

  it('keeps a book whose files are away, and the timeline of one that lacks a file', async () => {
    const audiobooks = await temporaryAudiobooks();
    await scanFinds(audiobooks, [scannedBook('Ann/Dune', twoFiles)]);
    const { id } = await onlyBook(audiobooks);
    await listenTo(audiobooks, id, 1, 10);
    await scanFinds(audiobooks, [scannedBook('Ann/Dune', [twoFiles[0]!])]);
    expect(await onlyBook(audiobooks)).toMatchObject({ segment_count: 2, generation: 1 });
    expect(await scanFinds(audiobooks, [])).toMatchObject({ missing: 1 });
    expect((await onlyBook(audiobooks)).missing_since).not.toBeNull();
    await scanFinds(audiobooks, [scannedBook('Ann/Dune', twoFiles)]);
    expect(await onlyBook(audiobooks)).toMatchObject({ id, missing_since: null, generation: 1 });
    expect(await progressOf(audiobooks, id)).toMatchObject({ position_seconds: 10 });
    const all = await audiobooks.store.list(segments, {});
    expect(all.map((segment) => [segment.active, segment.missing_since])).toEqual([
      [true, null],
      [true, null],
    ]);
  });

  it('misses a book whose files left a folder in which others are, and none that it could not look for', async () => {
    const audiobooks = await temporaryAudiobooks();
    const alpha = scannedBook('Shelf', [scannedFile('Shelf/Alpha.m4b', 1)], { title: 'Alpha' });
    const beta = scannedBook('Shelf', [scannedFile('Shelf/Beta.m4b', 2)], { title: 'Beta' });
    const far = scannedBook('Far/Away', [scannedFile('Far/Away/1.mp3', 3)]);
    await scanFinds(audiobooks, [alpha, beta, far]);
    expect(await scanFinds(audiobooks, [alpha], '/library', ['Far'])).toMatchObject({ missing: 1 });
    const missing = async () =>
      (await audiobooks.store.list(books.by.sortTitle, {})).flatMap((book) =>
        book.missing_since === null ? [] : [book.title],
      );
    expect(await missing()).toEqual(['Beta']);
    // A file that is now in its own folder was only moved.
    const moved = scannedBook('Alpha', [scannedFile('Alpha/Alpha.m4b', 1)], { title: 'Alpha' });
    expect(await scanFinds(audiobooks, [beta, moved, far])).toMatchObject({ added: 0, missing: 0 });
    expect(await missing()).toEqual([]);
  });

  it('takes new tags over with a history, but neither what is locked nor what a person wrote', async () => {
    const audiobooks = await temporaryAudiobooks();
    await scanFinds(audiobooks, [scannedBook('Ann/Dune', twoFiles, { year: 1965 })]);
    const book = await onlyBook(audiobooks);
    await audiobooks.store.transact((tx) =>
      tx.put(
        books,
        { id: book.id },
        { ...book, locks: ['year'], publisher: 'Mine', provenance: { publisher: 'edit' } },
      ),
    );
    const retagged = twoFiles.map((file) => ({ ...file, mtimeNs: '2', size: file.size + 5 }));
    const changes = { title: 'Dune!', year: 1999, publisher: 'Tags', authors: ['ANN  AUTHOR'] };
    await scanFinds(audiobooks, [scannedBook('Ann/Dune', retagged, changes)]);
    const after = await onlyBook(audiobooks);
    expect(after).toMatchObject({ title: 'Dune!', published_year: 1965, publisher: 'Mine', generation: 1 });
    expect(after.authors).toEqual(book.authors);
    const entries = await audiobooks.store.list(history, { book_id: book.id });
    expect(entries.map(({ field, before, after: now }) => [field, before, now])).toEqual([['title', 'Dune', 'Dune!']]);
  });

  it('remembers where the cover is, and another one in its place', async () => {
    const audiobooks = await temporaryAudiobooks();
    const cover = { kind: 'file', path: 'Ann/Dune/cover.jpg', mime: 'image/jpeg', offset: 0, length: 99 } as const;
    await scanFinds(audiobooks, [scannedBook('Ann/Dune', twoFiles, { cover })]);
    const book = await onlyBook(audiobooks);
    expect(await audiobooks.store.list(assets.by.book, { book_id: book.id })).toMatchObject([
      { id: book.cover_asset_id, ...cover },
    ]);
    const other = { ...cover, kind: 'embedded', path: 'Ann/Dune/1.mp3', offset: 45 } as const;
    await scanFinds(audiobooks, [scannedBook('Ann/Dune', twoFiles, { cover: other })]);
    // A new picture gets a new id, so that caches never show the old one.
    const { cover_asset_id: id } = await onlyBook(audiobooks);
    expect(id).not.toBe(book.cover_asset_id);
    expect(await audiobooks.store.list(assets, {})).toMatchObject([{ id, ...other }]);
  });

  it('gives a book without an author a work of its own, and editions of one title the same', async () => {
    const audiobooks = await temporaryAudiobooks();
    const nobody = { title: 'Best Of', authors: [] };
    await scanFinds(audiobooks, [
      scannedBook('A', [scannedFile('A/1.mp3', 1)], nobody),
      scannedBook('B', [scannedFile('B/1.mp3', 2)], nobody),
      scannedBook('C', [scannedFile('C/1.mp3', 3)], { title: 'Emma' }),
      scannedBook('D', [scannedFile('D/1.mp3', 4)], { title: 'EMMA', narrators: ['Other'] }),
    ]);
    const found = await audiobooks.store.list(books.by.sortTitle, {});
    expect(found.map(({ title }) => title)).toEqual(['Best Of', 'Best Of', 'Emma', 'EMMA']);
    const [first, second, emma, other] = found.map((book) => book.work_id);
    expect(first).not.toBe(second);
    expect(emma).toBe(other);
  });

  it('moves a file to another book and shortens the first', async () => {
    const audiobooks = await temporaryAudiobooks();
    const three = [...twoFiles, scannedFile('Ann/Dune/3.mp3', 3)];
    const other = [scannedFile('Bob/X/1.mp3', 11), scannedFile('Bob/X/2.mp3', 12)];
    await scanFinds(audiobooks, [scannedBook('Ann/Dune', three), scannedBook('Bob/X', other)]);
    const moved = [...other, scannedFile('Bob/X/3.mp3', 3)];
    await scanFinds(audiobooks, [scannedBook('Ann/Dune', twoFiles), scannedBook('Bob/X', moved)]);
    const found = await audiobooks.store.list(books.by.sortTitle, {});
    expect(found.map((book) => [book.title, book.segment_count])).toEqual([
      ['Dune', 2],
      ['X', 3],
    ]);
    expect((await audiobooks.store.verify()).problems).toEqual([]);
  });
});
