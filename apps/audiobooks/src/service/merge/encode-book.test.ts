import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryAudiobooks, temporaryFolder } from '../../../test/audiobooks.ts';
import { sound } from '../../../test/fixtures.ts';
import { createScanEngine } from '../../scan/engine.ts';
import { books } from '../../store/definitions.ts';
import { fileEngines } from '../audiobooks.ts';
import { libraryAt } from '../libraries.ts';
import { scanLibrary } from '../scan-library.ts';
import { showBook } from '../views.ts';
import { mergeBook, planMerge } from './encode-book.ts';

it('the chapters of a book have the titles of its files: on its page, in the preview and in the merged file', async () => {
  const root = temporaryFolder();
  mkdirSync(join(root, 'Ann Author/Story'), { recursive: true });
  for (const [index, title] of ['The Beginning', 'The End'].entries()) {
    const tags = { album: 'Story', artist: 'Ann Author', track: String(index + 1), title, asin: 'B002V1OF70' };
    copyFileSync(sound('mp3', { seconds: 1, tags }), join(root, `Ann Author/Story/${index}.mp3`));
  }
  const engines = { ...fileEngines, scan: createScanEngine({ settleMs: 0 }) };
  const audiobooks = await temporaryAudiobooks({ engines });
  const library = await libraryAt(audiobooks, root);
  await scanLibrary(audiobooks, { library, by: 'test' });
  const [book] = await audiobooks.store.list(books, {});
  const shown = async () => (await showBook(audiobooks, book!.id)).chapters.map(({ title }) => title);
  const titles = ['The Beginning', 'The End'];
  expect(await shown()).toEqual(titles);
  const { chapters } = await planMerge(audiobooks, book!, undefined);
  expect(chapters.map(({ title }) => title)).toEqual(titles);
  await mergeBook(audiobooks, { book: book!.id, by: 'test' });
  expect(await shown()).toEqual(titles);
  // The merged file lacks this tag, but the scan must not clear the field.
  await scanLibrary(audiobooks, { library, by: 'test' });
  expect(await audiobooks.store.get(books, { id: book!.id })).toMatchObject({ asin: 'B002V1OF70', segment_count: 1 });
});
