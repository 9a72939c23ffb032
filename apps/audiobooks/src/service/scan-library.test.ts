import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryAudiobooks, temporaryFolder } from '../../test/audiobooks.ts';
import { sound } from '../../test/fixtures.ts';
import { DEFAULT_TEMPLATE } from '../model/choices.ts';
import { summaryOf } from '../model/operation.ts';
import { createScanEngine } from '../scan/engine.ts';
import { books } from '../store/definitions.ts';
import { fileEngines } from './audiobooks.ts';
import { addLibraryAt, libraryAt } from './libraries.ts';
import { organiseBooks } from './organise-books.ts';
import { scanLibrary } from './scan-library.ts';

const engines = { ...fileEngines, scan: createScanEngine({ settleMs: 0 }) };
const by = 'test';

function shelve(root: string, ...paths: readonly string[]): void {
  for (const [index, path] of paths.entries()) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    copyFileSync(sound('mp3', { seconds: 1, frequency: 100 * (index + 2) }), join(root, path));
  }
}

describe('a scan', () => {
  it('gives a total only when all folders are listed', async () => {
    const root = temporaryFolder();
    const paths = Array.from({ length: 30 }, (_, index) => `Author ${index}/Book ${index}/1.mp3`);
    shelve(root, ...paths);
    const audiobooks = await temporaryAudiobooks({ engines });
    const totals = new Set<number>();
    const library = await libraryAt(audiobooks, root);
    await scanLibrary(audiobooks, { library, by, onProgress: (_current, total) => totals.add(total) });
    expect(totals).toEqual(new Set([0, 30]));
  });

  it('of a known library whose folder is gone says that it is unavailable', async () => {
    const root = temporaryFolder();
    shelve(root, 'Ann/Story/1.mp3');
    const audiobooks = await temporaryAudiobooks({ engines });
    await scanLibrary(audiobooks, { library: await addLibraryAt(audiobooks, root), by });
    rmSync(root, { recursive: true });
    const scan = scanLibrary(audiobooks, { library: await addLibraryAt(audiobooks, root), by });
    await expect(scan).rejects.toMatchObject({ code: 'LIBRARY_UNAVAILABLE' });
  });

  it('says where its problems are', () => {
    const operation = { result: { added: 3, missing: 0, problems: 27 }, params: {} };
    expect(summaryOf(operation as unknown as Parameters<typeof summaryOf>[0])).toBe(
      '3 added, 27 problems (listed in the log)',
    );
    const one = { result: { units: 1, files: 1, readFiles: 1, books: 1, added: 1, problems: 1 }, params: {} };
    expect(summaryOf(one as unknown as Parameters<typeof summaryOf>[0])).toBe(
      '1 file, 1 book, 1 added, 1 problem (listed in the log)',
    );
  });

  it('keeps what only the names before organising said', async () => {
    const root = temporaryFolder();
    shelve(root, 'Ann Author/1999 - Story - A Tale [B002V1OF70] {Rita Reader}/1.mp3');
    const audiobooks = await temporaryAudiobooks({ engines });
    const library = await libraryAt(audiobooks, root);
    const book = async () => (await audiobooks.store.list(books, {}))[0]!;
    await scanLibrary(audiobooks, { library, by });
    const known = { asin: 'B002V1OF70', narrators: ['Rita Reader'], published_year: 1999 };
    expect(await book()).toMatchObject(known);
    await organiseBooks(audiobooks, { library, template: DEFAULT_TEMPLATE, by });
    expect((await book()).folder).toMatch(/^Ann Author\/Story.* \(1999\) \{Rita Reader\}$/u);
    await organiseBooks(audiobooks, { library, template: '{title}', by });
    await scanLibrary(audiobooks, { library, by });
    expect(await book()).toMatchObject(known);
  });
});
