import { describe, expect, it } from 'vitest';
import { scanFinds, scannedBook, scannedFile, temporaryAudiobooks } from '../../../test/audiobooks.ts';
import { listenTo } from '../../../test/listening.ts';
import { bookPlays, books } from '../../store/definitions.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { editBook } from '../changes/edit-book.ts';
import { undoChange } from '../changes/undo-change.ts';
import { verify } from '../verify.ts';
import { importMetadata } from './import-metadata.ts';
import { exportLibrary, importLibrary, isExport } from './library-file.ts';

const AT = '2026-01-01T00:00:00.000Z';

async function lines(audiobooks: Audiobooks): Promise<string[]> {
  const all: string[] = [];
  for await (const line of exportLibrary({ ...audiobooks, now: () => Date.parse(AT) })) all.push(line);
  return all;
}

async function library(): Promise<Audiobooks> {
  const audiobooks = await temporaryAudiobooks();
  await scanFinds(audiobooks, [
    scannedBook('A', [scannedFile('A/1.mp3', 1)], { title: 'Dune', authors: ['Frank Herbert'], isbn: '080442957X' }),
    scannedBook('B', [scannedFile('B/1.mp3', 2)], { title: 'Emma', authors: ['Jane Austen'], year: 1815 }),
  ]);
  return audiobooks;
}

const titled = async (audiobooks: Audiobooks, title: string) =>
  (await audiobooks.store.list(books.by.title, { normalized_title: title.toLowerCase() }))[0]!;

describe('an export', () => {
  it('becomes the same library elsewhere, and importing it again changes nothing', async () => {
    const from = await library();
    const { id } = await titled(from, 'Dune');
    await listenTo(from, id, 0, 12);
    await editBook(from, { book: id, set: { tags: ['classic'] }, by: 'me' });
    await from.store.transact(async (tx) => tx.add(bookPlays, { book: id }, 4));
    const exported = await lines(from);
    expect(isExport(exported[0]!)).toBe(true);
    const to = await temporaryAudiobooks();
    expect(await importLibrary(to, exported)).toMatchObject({ records: exported.length - 1, unchanged: 0 });
    expect((await lines(to)).slice(1)).toEqual(exported.slice(1));
    expect((await verify(to, false)).problems).toEqual([]);
    const revision = await to.store.revision();
    expect(await importLibrary(to, exported)).toMatchObject({ unchanged: exported.length - 1 });
    expect(await to.store.revision()).toBe(revision);
  });

  it('is refused when it is something else or damaged', async () => {
    const to = await temporaryAudiobooks();
    await expect(importLibrary(to, ['{"format":"other"}'])).rejects.toMatchObject({ code: 'IMPORT_INVALID' });
    const [header] = await lines(await library());
    await expect(importLibrary(to, [header!, '{"type":"books"'])).rejects.toMatchObject({ code: 'IMPORT_INVALID' });
    const wrongKey = '{"type":"books","key":"op:x","value":{}}';
    await expect(importLibrary(to, [header!, wrongKey])).rejects.toMatchObject({ code: 'IMPORT_INVALID' });
  });
});

describe('metadata from a file', () => {
  const dump = [
    JSON.stringify({ isbn: '978-0-8044-2957-3', year: 1965, genres: ['SF'], series: 'Dune Saga #1', title: 'DUNE!' }),
    JSON.stringify({ title: 'emma', author: 'JANE AUSTEN', year: 1, narrator: ['New Reader'], publisher: 'P' }),
    '/type/edition\t/books/OL1M\t1\t2020\t{"title":"X","isbn_10":["0-8044-2957-X"],"publishers":["Ace"]}',
    '/type/author\t/authors/OL1A\t1\t2020\t{"name":"Y"}',
    'not json',
    '',
  ];

  it('fills what is empty, for the books that are here, and is undone', async () => {
    const audiobooks = await library();
    const request = { lines: dump, source: 'dump', overwrite: false, by: 'me' };
    const done = await importMetadata(audiobooks, request);
    expect(done.result).toEqual({ lines: 5, unreadable: 2, matched: 3, changed: 2 });
    const dune = await titled(audiobooks, 'Dune');
    expect(dune).toMatchObject({ title: 'Dune', published_year: 1965, publisher: 'Ace', genres: ['SF'] });
    expect(dune.series).toMatchObject([{ name: 'Dune Saga', sequence: '1' }]);
    expect(await titled(audiobooks, 'Emma')).toMatchObject({ published_year: 1815, publisher: 'P' });
    expect((await verify(audiobooks, false)).problems).toEqual([]);
    await undoChange(audiobooks, done, 'me');
    expect(await titled(audiobooks, 'Dune')).toMatchObject({ published_year: null, publisher: null, genres: [] });
    expect((await verify(audiobooks, false)).problems).toEqual([]);
  });

  it('replaces other values only when told to, and locked ones never', async () => {
    const audiobooks = await library();
    const { id } = await titled(audiobooks, 'Emma');
    await editBook(audiobooks, { book: id, lock: ['narrators'], by: 'me' });
    await importMetadata(audiobooks, { lines: dump, source: 'dump', overwrite: true, by: 'me' });
    expect(await titled(audiobooks, 'Emma')).toMatchObject({ published_year: 1, narrators: ['Rita Reader'] });
  });
});
