import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { factsOf } from '../../test/book-facts.ts';
import { testContext } from '../../test/file-journal.ts';
import { coverFile, ffprobe, made, sound, type SoundOptions } from '../../test/fixtures.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { scanTree } from '../../test/tree.ts';
import { readSound } from '../adapters/read-sound.ts';
import type { BookFacts, EncodedFile, EncodeRequest } from '../model/engines.ts';
import { createMergeEngine, verifyEncoded } from './engine.ts';

const engine = createMergeEngine();

interface Prepared {
  readonly root: string;
  readonly book: BookFacts;
  readonly encoded: EncodedFile[];
  readonly request: EncodeRequest;
}

async function prepared(files: Readonly<Record<string, string>>): Promise<Prepared> {
  const root = join(temporaryFolder(), 'library');
  for (const [path, source] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    copyFileSync(source, join(root, path));
  }
  const { books } = await scanTree(root);
  expect(books).toHaveLength(1);
  const book = factsOf(books[0]!, 'B');
  const encoded: EncodedFile[] = [];
  const context = testContext(join(temporaryFolder(), 'journal.json'));
  const switchSegments = (some: readonly EncodedFile[]): Promise<void> => Promise.resolve(void encoded.push(...some));
  return { root, book, encoded, request: { root, book, context, switchSegments } };
}

function filesIn(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(root, path)).isFile())
    .sort();
}

const silence = (extension: string, seconds: number, rate = 22_050): string =>
  made(extension, [
    ...`-f lavfi -i anullsrc=r=${rate}:cl=mono -t ${seconds}`.split(' '),
    ...(extension === 'mp3' ? ['-c:a', 'libmp3lame', '-b:a', '32k'] : ['-c:a', 'aac', '-b:a', '32k', '-f', 'ipod']),
  ]);

/** Where audio starts and ends in a file, in milliseconds. */
function edges(path: string): readonly number[] {
  const pcm = execFileSync(
    'ffmpeg',
    ['-v', 'error', '-i', path, '-map', '0:a:0', '-ac', '1', '-ar', '8000', '-f', 's16le', '-'],
    {
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  const window = 40;
  const found: number[] = [];
  let wasLoud = false;
  for (let at = 0; at + window <= pcm.length / 2; at += window) {
    let peak = 0;
    for (let n = at; n < at + window; n++) peak = Math.max(peak, Math.abs(pcm.readInt16LE(n * 2)));
    const isLoud = peak > 1_500;
    if (isLoud !== wasLoud) found.push((at / 8_000) * 1000);
    wasLoud = isLoud;
  }
  return found;
}

const tone = (extension: string, options: SoundOptions = {}): string => sound(extension, { seconds: 3, ...options });

describe('merging', () => {
  it('copies what an m4b can hold, with chapters, tags and cover, and keeps the originals', async () => {
    const { root, encoded, request, book } = await prepared({
      "A B/It's = odd; #x/01 - One.m4a": tone('m4a', {
        tags: { album: "It's = odd; #x", title: 'One', artist: 'A B' },
      }),
      "A B/It's = odd; #x/02 - Two.m4a": tone('m4a', {
        tags: { album: "It's = odd; #x", title: 'Two=\\', artist: 'A B' },
      }),
      "A B/It's = odd; #x/cover.png": coverFile(),
    });
    await engine.merge(request);
    const [one] = encoded;
    expect(one?.file).toMatchObject({ path: "A B/It's = odd; #x/It's = odd; #x.m4b", format: 'm4b', codec: 'aac' });
    expect(filesIn(root)).toEqual([
      '.holdfast/originals/OP1/0-01 - One.m4a',
      '.holdfast/originals/OP1/1-02 - Two.m4a',
      "A B/It's = odd; #x/It's = odd; #x.m4b",
      "A B/It's = odd; #x/cover.png",
    ]);
    const read = await readSound(root, one?.file.path ?? '');
    expect(read).toMatchObject({
      file: {
        tags: { album: "It's = odd; #x", artists: ['A B'] },
        chapters: [{ title: 'One', startMs: 0 }, { title: 'Two=\\' }],
      },
    });
    // Each part lasts as long as its packets, and all parts together last as long as the file.
    const parts = (one?.offsets ?? []).map(({ durationMs }) => durationMs);
    for (const [index, part] of parts.entries())
      expect(Math.abs(part - (book.files[index]?.durationMs ?? 0))).toBeLessThan(47);
    expect(Math.abs((one?.file.durationMs ?? 0) - parts.reduce((sum, part) => sum + part, 0))).toBeLessThanOrEqual(47);
    const { cover } = (await scanTree(root)).books[0]?.files[0] ?? {};
    expect(cover?.length).toBe(statSync(coverFile()).size);
    expect(one?.originals.map(({ path }) => existsSync(join(root, path)))).toEqual([true, true]);
  });

  it.each([
    ['m4a', 'copy'],
    ['mp3', 'encode'],
  ])('every part of %s begins in the new file where the map says (%s)', async (extension, pipeline) => {
    const files = Object.fromEntries(
      Array.from({ length: 8 }, (_, n) => [
        `A B/T/0${n + 1}.${extension}`,
        n % 2 === 0 ? tone(extension) : silence(extension, 2),
      ]),
    );
    const { root, encoded, request } = await prepared(files);
    await engine.merge(request);
    expect(testLog(request)).toContain(`(${pipeline})`);
    const heard = edges(join(root, encoded[0]?.file.path ?? ''));
    const told = (encoded[0]?.offsets ?? []).map(({ startMs }) => startMs);
    expect(heard).toHaveLength(8);
    const { startMs = 0, durationMs = 0 } = encoded[0]?.offsets.at(-1) ?? {};
    expect(Math.abs((encoded[0]?.file.durationMs ?? 0) - startMs - durationMs)).toBeLessThanOrEqual(50);
    for (const [index, at] of heard.entries()) {
      // Encoders add at most 50 ms of silence at the start of a file.
      expect(Math.abs(at - (told[index] ?? 0)), `part ${index} at ${at}, told ${told[index]}`).toBeLessThanOrEqual(110);
    }
  });

  it('makes one format of files that differ, and chapters of chapters', async () => {
    const { root, encoded, request } = await prepared({
      'A B/T/1.mp3': tone('mp3', { tags: { album: 'T' } }),
      'A B/T/2.m4b': tone('m4b', { tags: { album: 'T' }, chapters: 3, extra: ['-ar', '44100', '-ac', '2'] }),
      'A B/T/3.opus': tone('opus', { tags: { album: 'T' } }),
    });
    await engine.merge(request);
    expect(testLog(request)).toContain('(encode_each)');
    expect(encoded[0]?.file.stream).toMatchObject({ codec: 'aac', sampleRate: 48_000, channels: 2 });
    expect(encoded[0]?.file.chapters).toHaveLength(5);
    const total = (encoded[0]?.offsets ?? []).reduce((sum, { durationMs }) => sum + durationMs, 0);
    const { durationMs } = ffprobe(join(root, encoded[0]?.file.path ?? ''));
    expect(Math.abs(durationMs - total)).toBeLessThanOrEqual(60);
  });

  it('keeps more chapters than the old list in an m4b can hold', async () => {
    const part = tone('m4b', { seconds: 12, chapters: 150 });
    const { encoded, request } = await prepared({ 'A B/T/T Part 1.m4b': part, 'A B/T/T Part 2.m4b': part });
    await engine.merge(request);
    expect(encoded[0]?.file.chapters).toHaveLength(300);
    expect(encoded[0]?.file.chapters.at(-1)?.title).toBe('Chapter 150 é');
  });

  it('is undone: the originals are back, the new file is gone', async () => {
    const { root, encoded, request, book } = await prepared({ 'A B/T/1.mp3': tone('mp3'), 'A B/T/2.mp3': tone('mp3') });
    const before = filesIn(root);
    await engine.merge(request);
    const restore = (encoded[0]?.originals ?? []).map(({ segmentId, path }, index) => ({
      segmentId,
      from: path,
      to: book.files[index]?.path ?? '',
    }));
    const restored: string[] = [];
    await engine.undo({
      root,
      context: testContext(join(temporaryFolder(), 'journal.json'), 'OP2'),
      restore,
      remove: [encoded[0]?.file.path ?? ''],
      committed: (moved) => Promise.resolve(void restored.push(...moved.map(({ to }) => to))),
    });
    expect(restored).toEqual(before);
    expect(filesIn(root)).toEqual(before);
    expect(existsSync(join(root, '.holdfast'))).toBe(false);
  });

  it('leaves everything as it was when a file changed, the catalogue refuses or somebody cancels', async () => {
    const { root, request } = await prepared({ 'A B/T/1.mp3': tone('mp3'), 'A B/T/2.mp3': tone('mp3') });
    const before = filesIn(root);
    const refusing = { ...request, switchSegments: () => Promise.reject(new Error('no')) };
    await expect(engine.merge(refusing)).rejects.toThrow('no');
    expect(filesIn(root)).toEqual(before);
    const cancelled = { ...request, context: { ...request.context, signal: AbortSignal.abort() } };
    await expect(engine.merge(cancelled)).rejects.toMatchObject({ name: 'AbortError' });
    expect(filesIn(root)).toEqual(before);
    writeFileSync(join(root, 'A B/T/2.mp3'), readFileSync(tone('mp3', { frequency: 600 })));
    await expect(engine.merge(request)).rejects.toMatchObject({ code: 'FILE_CHANGED' });
    expect(filesIn(root)).toEqual(before);
    expect(readdirSync(root)).toEqual(['A B']);
  });
});

const testLog = (request: EncodeRequest): string =>
  (request.context as ReturnType<typeof testContext>).logged.join('\n');

describe('a new file is not used', () => {
  const signal = new AbortController().signal;
  it.each([
    ['that is too short', { durationMs: 4_000, parts: 2, chapterStartsMs: [] }, /too short/],
    ['without its chapters', { durationMs: 3_000, parts: 1, chapterStartsMs: [0, 1_000] }, /chapters instead of 2/],
    [
      'with a chapter elsewhere',
      { durationMs: 3_000, parts: 1, chapterStartsMs: [0, 2_500] },
      /chapter 2 at the wrong time/,
    ],
  ])('%s', async (name, expected, message) => {
    const folder = temporaryFolder();
    copyFileSync(tone('m4b', { chapters: name.startsWith('with a') ? 2 : 0 }), join(folder, 'x.m4b'));
    await expect(verifyEncoded(folder, 'x.m4b', expected, signal)).rejects.toThrow(message);
  });

  it('that cannot be played to its end', async () => {
    const folder = temporaryFolder();
    const bytes = readFileSync(tone('m4b'));
    const middle = Math.floor(bytes.indexOf('mdat') + 2_000);
    bytes.fill(0xa5, middle, middle + 3_000);
    writeFileSync(join(folder, 'x.m4b'), bytes);
    const expected = { durationMs: 3_000, parts: 1, chapterStartsMs: [] };
    await expect(verifyEncoded(folder, 'x.m4b', expected, signal)).rejects.toMatchObject({
      code: expect.stringMatching(/ENCODED_INVALID|FFMPEG_FAILED/) as string,
    });
  });
});

describe('transcoding', () => {
  it.each(['mp3', 'm4b', 'opus', 'flac'])('to %s keeps tags, length and order', async (format) => {
    const { root, encoded, request } = await prepared({
      'A B/T/1.ogg': tone('ogg', { tags: { album: 'T', title: 'One' } }),
      'A B/T/2.m4a': tone('m4a', { tags: { album: 'T', title: 'Two' }, seconds: 5, chapters: 2 }),
    });
    await engine.transcode({ ...request, format });
    expect(encoded.map(({ file }) => file.path)).toEqual([`A B/T/1.${format}`, `A B/T/2.${format}`]);
    expect(encoded.map(({ file }) => file.tags.title)).toEqual(['One', 'Two']);
    // In ffmpeg's own Vorbis comments, a chapter that starts in the second half of a second moves to the next second.
    expect(encoded[1]?.file.chapters).toMatchObject([
      { title: 'Chapter 1 é', startMs: 0 },
      { title: 'Chapter 2 é', startMs: 2_500 },
    ]);
    for (const [index, { file, offsets }] of encoded.entries()) {
      expect(offsets).toEqual([{ segmentId: offsets[0]?.segmentId, startMs: 0, durationMs: file.durationMs }]);
      expect(Math.abs(file.durationMs - [3_000, 5_000][index]!)).toBeLessThanOrEqual(100);
    }
    expect(filesIn(root).filter((path) => path.startsWith('.holdfast/originals'))).toHaveLength(2);
  });

  it('of what is damaged says what ffmpeg complained about, and about which file', async () => {
    const bytes = readFileSync(tone('m4a'));
    const middle = bytes.indexOf('mdat') + 2_000;
    const damaged = join(temporaryFolder(), '1.m4a');
    writeFileSync(damaged, bytes.fill(0xa5, middle, middle + 300));
    const { request } = await prepared({ 'A B/T/1.m4a': damaged });
    // Opus does not support this bit rate. ffmpeg reports the error in several lines.
    const failing = engine.transcode({ ...request, format: 'opus', bitrateKbps: 9_999 });
    const complaints = expect.arrayContaining([expect.stringMatching(/bit ?rate/iu)]) as unknown;
    await expect(failing).rejects.toMatchObject({ code: 'FFMPEG_FAILED', details: { complaints } });
    expect(testLog(request)).toMatch(/^warn: ffmpeg: .*bit ?rate/imu);
    await engine.transcode({ ...request, format: 'flac' });
    expect(testLog(request)).toMatch(/^warn: ffmpeg: A B\/T\/1\.m4a: \S/mu);
  });

  it('to a format that nobody knows is refused before anything is done', async () => {
    const { root, request } = await prepared({ 'A B/T/1.mp3': tone('mp3') });
    await expect(engine.transcode({ ...request, format: 'wma' })).rejects.toMatchObject({ code: 'FIELD_INVALID' });
    expect(filesIn(root)).toEqual(['A B/T/1.mp3']);
  });
});
