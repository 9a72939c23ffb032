import { copyFileSync, linkSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { factsOf } from '../../test/book-facts.ts';
import { testContext } from '../../test/file-journal.ts';
import { ffprobe, sound } from '../../test/fixtures.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { scanTree } from '../../test/tree.ts';
import type { BookFacts } from '../model/engines.ts';
import { createTagEngine } from './tag-engine.ts';

const engine = createTagEngine();

const FACTS: Partial<BookFacts> = {
  title: 'Dune – Die Wüste',
  authors: ['Frank Herbert', 'Ärne Ödland'],
  narrators: ['Scott Brick'],
  series: [{ name: 'Dune', sequence: '0.5' }],
  year: 1965,
  publisher: 'Chilton',
  description: 'Sand.\nMore sand.',
  genres: ['Science Fiction', 'Classics'],
  asin: 'B002V1OF70',
  isbn: '9780441013593',
};

async function library(format: string, count: number, options = {}): Promise<{ root: string; book: BookFacts }> {
  const root = temporaryFolder();
  mkdirSync(join(root, 'A B/T'), { recursive: true });
  for (let n = 1; n <= count; n++)
    copyFileSync(sound(format, { seconds: 3, ...options }), join(root, 'A B/T', `${n}.${format}`));
  const { books } = await scanTree(root);
  return { root, book: { ...factsOf(books[0]!, 'B'), ...FACTS } };
}

const contextIn = (folder = temporaryFolder()) => testContext(join(folder, 'journal.json'));

describe('writing tags', () => {
  it.each([
    ['mp3', { cover: true }],
    ['m4b', { chapters: 60, cover: true }],
    ['m4b', { chapters: 300 }],
    ['m4a', {}],
    ['flac', { cover: true }],
    ['ogg', {}],
    ['opus', {}],
  ])('into %s with %j keeps sound, chapters and cover, and a scan finds what was written', async (format, options) => {
    const { root, book } = await library(format, 1, options);
    const before = (await scanTree(root)).books[0]?.files[0];
    const written: string[] = [];
    await engine.write({
      root,
      book,
      context: contextIn(),
      written: ({ segmentId, signature }) => Promise.resolve(void written.push(`${segmentId} ${signature.inode}`)),
    });
    const [found] = (await scanTree(root)).books;
    expect(found).toMatchObject({
      title: 'Dune – Die Wüste',
      authors: ['Frank Herbert', 'Ärne Ödland'],
      narrators: ['Scott Brick'],
      series: [{ name: 'Dune', sequence: '0.5' }],
      year: 1965,
      genres: ['Science Fiction', 'Classics'],
      asin: 'B002V1OF70',
      isbn: '9780441013593',
      description: 'Sand.\nMore sand.',
    });
    const after = found?.files[0];
    expect(after?.durationMs).toBe(before?.durationMs);
    expect(after?.chapters).toEqual(before?.chapters);
    expect(after?.cover?.length).toBe(before?.cover?.length);
    if (format !== 'ogg' && format !== 'opus') expect(after?.quickHash).toBe(before?.quickHash);
    expect(written).toEqual([`B-1 ${after?.inode}`]);
    expect(ffprobe(join(root, `A B/T/1.${format}`)).durationMs).toBeGreaterThan(2_900);
    expect(readdirSync(join(root, 'A B/T'))).toEqual([`1.${format}`]);
  });

  it('changes nothing the second time', async () => {
    const { root, book } = await library('mp3', 3);
    const writeAll = async (
      facts: BookFacts,
    ): Promise<{ readonly written: number; readonly logged: readonly string[] }> => {
      let written = 0;
      const context = contextIn();
      await engine.write({ root, book: facts, context, written: () => Promise.resolve(void (written += 1)) });
      return { written, logged: context.logged };
    };
    expect((await writeAll(book)).written).toBe(3);
    const again = { ...factsOf((await scanTree(root)).books[0]!, 'B'), ...FACTS };
    expect(again.files.map(({ track }) => track)).toEqual([1, 2, 3]);
    expect(await writeAll(again)).toEqual({ written: 0, logged: [] });
  });

  it('does not reach through a second name of the file', async () => {
    const { root, book } = await library('mp3', 1);
    linkSync(join(root, 'A B/T/1.mp3'), join(root, 'backup'));
    const before = readFileSync(join(root, 'backup'));
    await engine.write({ root, book, context: contextIn(), written: () => Promise.resolve() });
    expect(readFileSync(join(root, 'backup'))).toEqual(before);
    expect(readFileSync(join(root, 'A B/T/1.mp3'))).not.toEqual(before);
  });

  it('leaves a file alone that was changed since the scan', async () => {
    const { root, book } = await library('mp3', 1);
    writeFileSync(join(root, 'A B/T/1.mp3'), readFileSync(sound('mp3', { seconds: 2, frequency: 700 })));
    const before = statSync(join(root, 'A B/T/1.mp3')).ino;
    const writing = engine.write({ root, book, context: contextIn(), written: () => Promise.resolve() });
    await expect(writing).rejects.toMatchObject({ code: 'FILE_CHANGED' });
    expect(statSync(join(root, 'A B/T/1.mp3')).ino).toBe(before);
  });
});
