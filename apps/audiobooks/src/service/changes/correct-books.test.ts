import { describe, expect, it } from 'vitest';
import { scanFinds, scannedBook, scannedFile, temporaryAudiobooks } from '../../../test/audiobooks.ts';
import { books } from '../../store/definitions.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { localListener } from '../listener.ts';
import { correctBooks, planCorrections } from './correct-books.ts';
import { editBook } from './edit-book.ts';
import { undoChange } from './undo-change.ts';

const PATTERN = '{author}/{series} {sequence} - {title} ({year})';
const me = localListener('me');

async function shelf(): Promise<Audiobooks> {
  const audiobooks = await temporaryAudiobooks();
  const wrong = { authors: ['Unknown'], title: 'Track' };
  await scanFinds(audiobooks, [
    scannedBook('in/Robert Jordan/Wheel of Time 01 - The Eye (1990)', [scannedFile('a.mp3', 1)], wrong),
    scannedBook('in/Robert Jordan/Wheel of Time 02 - The Hunt (1990)', [scannedFile('b.mp3', 2)], wrong),
    scannedBook('in/Robert Jordan/Notes', [scannedFile('c.mp3', 3)], wrong),
    scannedBook('other/Robert Jordan/Wheel of Time 03 - The Dragon (1991)', [scannedFile('d.mp3', 4)], wrong),
  ]);
  return audiobooks;
}

const titles = async ({ store }: Audiobooks): Promise<readonly string[]> =>
  (await store.list(books.by.folder, {})).map(({ title }) => title);

describe('a correction of many books', () => {
  it('shows every change first, and changes nothing', async () => {
    const audiobooks = await shelf();
    const before = await audiobooks.store.list(books, {});
    const plan = await planCorrections(audiobooks, me, { pattern: PATTERN, from: 'folder', under: '/in/' });
    expect(plan).toMatchObject({ unchanged: 0, unmatched: 1 });
    expect(plan.corrections.map(({ changes }) => changes)).toMatchObject([
      [
        { field: 'title', before: 'Track', after: 'The Eye' },
        { field: 'authors', before: ['Unknown'], after: ['Robert Jordan'] },
        { field: 'year', before: null, after: 1990 },
        { field: 'series', before: [], after: [{ name: 'Wheel of Time', sequence: '1' }] },
      ],
      [{ field: 'title', after: 'The Hunt' }, {}, {}, {}],
    ]);
    expect(await audiobooks.store.list(books, {})).toEqual(before);
  });

  it('is one operation: fields are locked, and undo restores all books with their locks', async () => {
    const audiobooks = await shelf();
    const before = await titles(audiobooks);
    const { value, operation } = await correctBooks(audiobooks, me, { pattern: PATTERN, from: 'folder' });
    expect(value).toBe(3);
    expect(await titles(audiobooks)).toEqual(['Track', 'The Eye', 'The Hunt', 'The Dragon']);
    const [, eye] = await audiobooks.store.list(books.by.folder, {});
    expect(eye?.locks).toEqual(['authors', 'series', 'title', 'year']);
    expect((await planCorrections(audiobooks, me, { pattern: PATTERN, from: 'folder' })).unchanged).toBe(3);
    await undoChange(audiobooks, operation, 'me');
    expect(await titles(audiobooks)).toEqual(before);
    expect((await audiobooks.store.list(books, {})).every(({ locks }) => locks.length === 0)).toBe(true);
  });

  it('is not undone over a later change, and reads titles too', async () => {
    const audiobooks = await shelf();
    const [book] = await audiobooks.store.list(books.by.folder, {});
    await editBook(audiobooks, { book: book!.id, set: { title: 'Notes - Volume 2' }, by: 'me' });
    const { operation } = await correctBooks(audiobooks, me, { pattern: '{title} - {subtitle}', from: 'title' });
    expect(await audiobooks.store.get(books, { id: book!.id })).toMatchObject({ title: 'Notes', subtitle: 'Volume 2' });
    await editBook(audiobooks, { book: book!.id, set: { title: 'Mine' }, by: 'me' });
    await expect(undoChange(audiobooks, operation, 'me')).rejects.toMatchObject({ code: 'UNDO_CONFLICT' });
    expect(await audiobooks.store.get(books, { id: book!.id })).toMatchObject({ title: 'Mine', subtitle: 'Volume 2' });
  });

  it('leaves out libraries that the user does not see', async () => {
    const audiobooks = await shelf();
    const blind = { ...me, sees: () => false };
    expect(await planCorrections(audiobooks, blind, { pattern: PATTERN, from: 'folder' })).toMatchObject({
      corrections: [],
      unmatched: 0,
    });
  });
});
