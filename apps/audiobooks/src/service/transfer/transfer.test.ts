import { describe, expect, it } from 'vitest';
import { scanFinds, scannedBook, scannedFile, temporaryAudiobooks } from '../../../test/audiobooks.ts';
import { books, userListenSeconds } from '../../store/definitions.ts';
import { appendLog } from '../../store/operations.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { editBook } from '../changes/edit-book.ts';
import { undoChange } from '../changes/undo-change.ts';
import { createFeed } from '../feeds.ts';
import { listenerOf, localListener } from '../listener.ts';
import { addBookmark, changePreferences } from '../listening/bookmarks.ts';
import { setProgress } from '../listening/progress.ts';
import { recordPlayback } from '../listening/record-playback.ts';
import { createPlaylist } from '../playlists/playlists.ts';
import { setRights } from '../rights.ts';
import { catchUp, rebuildStatistics } from '../statistics/count.ts';
import { verify } from '../verify.ts';
import { importMetadata } from './import-metadata.ts';
import { exportLibrary, importLibrary, isExport } from './export-import.ts';

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

/** Ann has listened to the first minute of Dune. */
async function listenedLibrary() {
  const from = await library();
  const { id, library_id: hidden } = await titled(from, 'Dune');
  const reports = Array.from({ length: 5 }, (_, number) => ({
    event_id: `event-${number}`,
    book_id: id,
    event_type: 'progress' as const,
    position_ms: number * 15_000,
    occurred_at: new Date(Date.parse(AT) + number * 15_000).toISOString(),
    play_speed: 1,
    device_id: 'phone',
    session_id: 'one',
  }));
  await recordPlayback(from, localListener('ann'), reports);
  await catchUp(from, 'ann');
  return { from, id, hidden, reports };
}

describe('an export', () => {
  it('becomes the same library elsewhere, and importing it again changes nothing', async () => {
    const from = await library();
    const { id } = await titled(from, 'Dune');
    await editBook(from, { book: id, set: { tags: ['classic'] }, by: 'me' });
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

  it('has everything: each key of a used library arrives, with rights, feeds, listening data and finished operations', async () => {
    const { from, id, hidden, reports } = await listenedLibrary();
    const caller = { name: 'Ann', via: 'test', face: 'cli', userId: 'ann' } as const;
    await setProgress(from, localListener('ann'), id, { position_ms: 55_000 });
    await catchUp(from, 'ann');
    await setRights(from, { user_id: 'bob', libraries: [], edit: false, download: false });
    await createFeed(from, { kind: 'opds', origin: 'https://books.example.org' }, caller);
    await changePreferences(from, localListener('ann'), { speed: 1.5 });
    await addBookmark(from, localListener('ann'), id, { position_ms: 1_000, note: 'here' });
    await createPlaylist(from, localListener('ann'), { name: 'Mine' });
    const { operation } = await editBook(from, { book: id, set: { year: 1965 }, by: 'me' });
    await from.store.transact(async (tx) => appendLog(tx, operation.id, { level: 'info', message: 'done', at: AT }));
    const to = await temporaryAudiobooks();
    await importLibrary(to, await lines(from));
    const all = async ({ store }: Audiobooks) =>
      (await store.engine.range({ gte: '', lt: '\u{10ffff}', limit: 100_000, reverse: false })).filter(
        ([key]) => !key.startsWith('mig:'),
      );
    expect(await all(to)).toEqual(await all(from));
    expect((await verify(to, false)).problems).toEqual([]);
    expect(await rebuildStatistics(to)).toMatchObject({ users: 1, corrected: 0 });
    expect(await to.store.get(userListenSeconds, { user: 'ann' })).toBe(60);
    const bob = { name: 'Bob', via: 'test', face: 'http', userId: 'bob', permissions: [] } as const;
    expect((await listenerOf(to, bob)).sees({ library_id: hidden })).toBe(false);
    expect(await recordPlayback(to, localListener('ann'), reports)).toMatchObject({ accepted: 0, duplicates: 5 });
  });

  it('without parts of the listening data is noticed by verify, and the parts are restored from the events', async () => {
    const { from, reports } = await listenedLibrary();
    const lost = /"type":"(?:eventNumbers|eventIds|userTallies|dayTallies|bookTallies)"/u;
    const to = await temporaryAudiobooks();
    await importLibrary(
      to,
      (await lines(from)).filter((line) => !lost.test(line)),
    );
    const keys = (await verify(to, false)).problems.map(({ key }) => key);
    expect(keys).toEqual(expect.arrayContaining(['playseq:ann', 'playid:ann:event-0']));
    await verify(to, true);
    expect((await verify(to, false)).problems).toEqual([]);
    expect(await to.store.get(userListenSeconds, { user: 'ann' })).toBe(60);
    expect(await recordPlayback(to, localListener('ann'), reports)).toMatchObject({ accepted: 0, duplicates: 5 });
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
