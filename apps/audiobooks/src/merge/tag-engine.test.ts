import { execFileSync } from 'node:child_process';
import { copyFileSync, linkSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { factsOf } from '../../test/book-facts.ts';
import { testContext } from '../../test/file-journal.ts';
import { ffprobe, made, sound } from '../../test/fixtures.ts';
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

/** Hash of the decoded audio. */
const decoded = (path: string): string =>
  execFileSync('ffmpeg', ['-v', 'error', '-i', path, '-map', '0:a', '-f', 'md5', '-'], { encoding: 'utf8' });

const contextIn = (operation = 'OP') => testContext(join(temporaryFolder(), 'journal.json'), operation);

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
      committed: (files) =>
        Promise.resolve(void written.push(...files.map(({ segmentId, file }) => `${segmentId} ${file.inode}`))),
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

  it.each([
    ['mp3', {}],
    ['mp3', { chapters: 3, cover: true }],
    ['m4b', {}],
    ['m4b', { chapters: 60, cover: true }],
    ['m4b', { chapters: 300 }],
    ['m4a', {}],
    ['flac', {}],
    ['ogg', {}],
    ['opus', {}],
  ])('into %s with %j writes edited chapters and the cover, as other programs read them', async (format, options) => {
    const { root, book } = await library(format, 1, options);
    const picture = readFileSync(made('jpg', ['-f', 'lavfi', '-i', 'color=c=red:s=64x64:d=1', '-frames:v', '1']));
    writeFileSync(join(root, 'A B/T/folder.jpg'), picture);
    const cover = {
      kind: 'file',
      path: 'A B/T/folder.jpg',
      mime: 'image/jpeg',
      offset: 0,
      length: picture.length,
    } as const;
    const chapters = [
      { title: 'Érste „Kapitel“', startMs: 0 },
      { title: 'Second', startMs: 1_234 },
      { title: 'Third 第三', startMs: 2_000 },
    ];
    const facts = { ...book, chapters, cover };
    const preview = await engine.preview({ root, book: facts });
    expect(preview.map(({ field }) => field)).toEqual(expect.arrayContaining(['chapters', 'cover']));
    await engine.write({ root, book: facts, context: contextIn(), committed: () => Promise.resolve() });
    const file = (await scanTree(root)).books[0]?.files[0];
    expect(file?.chapters.map(({ title, startMs }) => ({ title, startMs }))).toEqual(chapters);
    expect(file?.cover?.length).toBe(picture.length);
    const path = join(root, `A B/T/1.${format}`);
    const probed = ffprobe(path);
    expect(probed.durationMs).toBeGreaterThan(2_900);
    // ffprobe reads no chapters from FLAC.
    if (format !== 'flac') {
      const read = probed.chapters?.map(({ start_time: start, tags }) => [
        tags?.title,
        Math.round(Number(start) * 1_000),
      ]);
      expect(read).toEqual(chapters.map(({ title, startMs }) => [title, startMs]));
    }
    expect(decoded(path)).toBe(decoded(sound(format, { seconds: 3, ...options })));
    const again = { ...facts, files: factsOf((await scanTree(root)).books[0]!, 'B').files };
    expect(await engine.preview({ root, book: again })).toEqual([]);
  });

  it('gives each file of a book its part of the chapters', async () => {
    const { root, book } = await library('mp3', 2);
    const chapters = [
      { title: 'One', startMs: 0 },
      { title: 'Two', startMs: 2_000 },
      { title: 'Three', startMs: 5_000 },
    ];
    await engine.write({ root, book: { ...book, chapters }, context: contextIn(), committed: () => Promise.resolve() });
    const files = (await scanTree(root)).books[0]?.files ?? [];
    const [length = 0] = files.map(({ durationMs }) => durationMs);
    expect(files.map((file) => file.chapters.map(({ title, startMs }) => [title, startMs]))).toEqual([
      [
        ['One', 0],
        ['Two', 2_000],
      ],
      [
        ['Two', 0],
        ['Three', 5_000 - length],
      ],
    ]);
  });

  it('changes nothing the second time', async () => {
    const { root, book } = await library('mp3', 3);
    const writeAll = async (
      facts: BookFacts,
    ): Promise<{ readonly written: number; readonly logged: readonly string[] }> => {
      let written = 0;
      const context = contextIn();
      await engine.write({
        root,
        book: facts,
        context,
        committed: (files) => Promise.resolve(void (written += files.length)),
      });
      return { written, logged: context.logged };
    };
    const preview = await engine.preview({ root, book });
    expect(preview.filter(({ field }) => field === 'album')).toEqual(
      [1, 2, 3].map((n) => ({ path: `A B/T/${n}.mp3`, field: 'album', from: '', to: 'Dune – Die Wüste' })),
    );
    expect((await writeAll(book)).written).toBe(3);
    const again = { ...factsOf((await scanTree(root)).books[0]!, 'B'), ...FACTS };
    expect(again.files.map(({ track }) => track)).toEqual([1, 2, 3]);
    expect(await engine.preview({ root, book: again })).toEqual([]);
    expect(await writeAll(again)).toEqual({ written: 0, logged: [] });
  });

  it.each(['mp3', 'm4b', 'flac', 'opus'])('writes series into %s as Audiobookshelf reads them', async (format) => {
    const { root, book } = await library(format, 1);
    const path = join(root, `A B/T/1.${format}`);
    const written = async (series: BookFacts['series']): Promise<Readonly<Record<string, string>>> => {
      const { books } = await scanTree(root);
      const facts = { ...factsOf(books[0]!, 'B'), ...FACTS, series };
      await engine.write({
        root,
        book: facts,
        context: contextIn(`OP${series.length}`),
        committed: () => Promise.resolve(),
      });
      expect((await scanTree(root)).books[0]?.series).toEqual(series);
      const probed = JSON.parse(
        execFileSync('ffprobe', ['-v', 'error', '-show_entries', 'format_tags:stream_tags', '-of', 'json', path], {
          encoding: 'utf8',
        }),
      ) as { format: { tags?: object }; streams: { tags?: object }[] };
      const tags = { ...probed.streams[0]?.tags, ...probed.format.tags };
      return Object.fromEntries(
        Object.entries(tags)
          .map(([name, value]) => [name.toLowerCase(), String(value)])
          .filter(([name]) => /series|group/u.test(name ?? '')),
      );
    };
    expect(book.title).toBe('Dune – Die Wüste');
    expect(await written([{ name: 'Dune', sequence: '0.5' }])).toEqual({ series: 'Dune', 'series-part': '0.5' });
    expect(
      await written([
        { name: 'Dune', sequence: '1' },
        { name: 'Sand', sequence: '2' },
      ]),
    ).toEqual({ grouping: 'Dune #1; Sand #2' });
  });

  it('does not reach through a second name of the file', async () => {
    const { root, book } = await library('mp3', 1);
    linkSync(join(root, 'A B/T/1.mp3'), join(root, 'backup'));
    const before = readFileSync(join(root, 'backup'));
    await engine.write({ root, book, context: contextIn(), committed: () => Promise.resolve() });
    expect(readFileSync(join(root, 'backup'))).toEqual(before);
    expect(readFileSync(join(root, 'A B/T/1.mp3'))).not.toEqual(before);
  });

  it('leaves a file alone that was changed since the scan', async () => {
    const { root, book } = await library('mp3', 1);
    writeFileSync(join(root, 'A B/T/1.mp3'), readFileSync(sound('mp3', { seconds: 2, frequency: 700 })));
    const before = statSync(join(root, 'A B/T/1.mp3')).ino;
    const writing = engine.write({ root, book, context: contextIn(), committed: () => Promise.resolve() });
    await expect(writing).rejects.toMatchObject({ code: 'FILE_CHANGED' });
    expect(statSync(join(root, 'A B/T/1.mp3')).ino).toBe(before);
  });
});
