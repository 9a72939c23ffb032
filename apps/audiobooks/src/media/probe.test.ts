import { copyFileSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { coverFile, ffprobe, made, sound } from '../../test/fixtures.ts';
import { parseFile } from '../../test/other-reader.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { openSource } from '../adapters/file-source.ts';
import { probe, type Probed } from './probe.ts';
import { memorySource } from './source.ts';

async function probed(path: string): Promise<Probed> {
  const source = await openSource(path);
  try {
    return await probe(source);
  } finally {
    await source.close();
  }
}

const TAGS = {
  title: 'The first chapter',
  album: 'Dune',
  artist: 'Frank Herbert',
  album_artist: 'Herbert, Frank',
  composer: 'Scott Brick',
  date: '1965-08-01',
  genre: 'Science Fiction; Classics',
  track: '3/22',
  disc: '1/2',
};

const FORMATS = ['mp3', 'm4a', 'm4b', 'flac', 'ogg', 'opus'];

describe('what is in a file', () => {
  it.each(FORMATS)('the length of %s is the sum of its packets', async (format) => {
    for (const seconds of [0.4, 1, 7.3]) {
      const path = sound(format, { seconds });
      const ours = (await probed(path)).durationMs;
      const theirs = ffprobe(path).durationMs;
      // ffprobe includes Opus pre-skip samples and misses the last Vorbis packet.
      const expected = format === 'ogg' ? seconds * 1000 : theirs;
      expect(Math.abs(ours - expected), `${ours} and ${theirs}`).toBeLessThanOrEqual(format === 'opus' ? 40 : 2);
    }
  });

  it.each(['m4b', 'm4a'])('tags that ffmpeg wrote into %s with use_metadata_tags are read', async (format) => {
    const tone = ['-f', 'lavfi', '-i', 'sine=duration=1'];
    const more = { ...TAGS, SERIES: 'Dune Chronicles', 'series-part': '1' };
    const tags = Object.entries(more).flatMap(([name, value]) => ['-metadata', `${name}=${value}`]);
    const path = made(format, [...tone, ...tags, '-movflags', 'use_metadata_tags']);
    expect((await probed(path)).tags).toMatchObject({
      title: 'The first chapter',
      album: 'Dune',
      artists: ['Frank Herbert'],
      albumArtists: ['Herbert, Frank'],
      composers: ['Scott Brick'],
      year: 1965,
      genres: ['Science Fiction', 'Classics'],
      series: 'Dune Chronicles',
      seriesPart: '1',
      track: 3,
      trackTotal: 22,
      disc: 1,
    });
  });

  it('the length of a variable mp3 without a count is counted, not estimated', async () => {
    const encoder = ['-c:a', 'libmp3lame', '-q:a', '9', '-write_xing', '0', '-id3v2_version', '3'];
    const tone = ['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=44100:duration=6'];
    const path = made('mp3', [...tone, '-af', "volume='if(lt(t,3),0,1)':eval=frame", ...encoder]);
    const { durationMs } = await probed(path);
    expect(Math.abs(durationMs - ffprobe(path).durationMs)).toBeLessThanOrEqual(2);
  });

  it.each([
    ['mp3', ['-ar', '44100', '-b:a', '128k']],
    ['mp3', ['-ar', '48000', '-ac', '2', '-q:a', '4']],
    ['mp3', ['-ar', '11025', '-b:a', '16k']],
    ['m4b', ['-movflags', '+faststart', '-ac', '2', '-ar', '48000']],
    ['m4a', ['-f', 'mp4', '-movflags', 'frag_keyframe+empty_moov', '-frag_duration', '500000']],
    ['flac', ['-ar', '96000', '-ac', '2']],
  ])('the length of %s with %j is right', async (format, extra) => {
    const path = sound(format, { seconds: 5, extra });
    const ours = (await probed(path)).durationMs;
    // ffprobe does not know the duration of the last packet of a fragmented stream.
    const tolerance = extra.includes('500000') ? 47 : 3;
    expect(Math.abs(ours - ffprobe(path).durationMs)).toBeLessThanOrEqual(tolerance);
  });

  it.each(FORMATS)('the tags of %s are read', async (format) => {
    const { tags } = await probed(sound(format, { tags: TAGS }));
    expect(tags).toMatchObject({
      title: 'The first chapter',
      album: 'Dune',
      artists: ['Frank Herbert'],
      composers: ['Scott Brick'],
      year: 1965,
      genres: ['Science Fiction', 'Classics'],
      track: 3,
      disc: 1,
    });
    expect(tags.albumArtists).toEqual(['Herbert, Frank']);
  });

  it.each(FORMATS)('another reader agrees about %s', async (format) => {
    const path = sound(format, { tags: TAGS, seconds: 3 });
    const ours = await probed(path);
    const theirs = await parseFile(path, { duration: true });
    // For Opus, ffprobe reports the sample rate before encoding. For MP4, it reports a channel count that is always 2.
    if (format !== 'opus') expect(ours.stream.sampleRate).toBe(theirs.format.sampleRate);
    if (!format.startsWith('m4')) expect(ours.stream.channels).toBe(theirs.format.numberOfChannels);
    expect(ours.tags.album).toBe(theirs.common.album);
    expect(ours.tags.track).toBe(theirs.common.track.no);
    expect(Math.abs(ours.durationMs / 1000 - (theirs.format.duration ?? 0))).toBeLessThan(0.1);
  });

  it('a tag that is a book is cut, so that nothing that looks at it takes long', async () => {
    const long = 'Book 1 - '.repeat(6_000);
    const { tags } = await probed(sound('m4a', { tags: { album: long, title: long, comment: long } }));
    expect(tags.album?.length).toBeLessThanOrEqual(500);
    expect(tags.description?.length).toBeGreaterThan(20_000);
  });

  it('non-Latin text survives in every version of ID3', async () => {
    const tags = { title: 'Мастер и Маргарита', artist: '村上春樹', album: 'Straße — “Ω”' };
    for (const version of ['3', '4']) {
      const { tags: found } = await probed(sound('mp3', { tags, extra: ['-id3v2_version', version] }));
      expect(found).toMatchObject({ title: tags.title, artists: [tags.artist], album: tags.album });
    }
  });

  it.each([
    ['m4b', 3],
    ['m4b', 60],
    ['m4b', 255],
    ['m4b', 256],
    ['m4b', 300],
    ['mp3', 40],
    ['opus', 5],
  ])('chapters of %s: all %d', async (format, count) => {
    const path = sound(format, { seconds: 12, chapters: count });
    const { chapters, durationMs } = await probed(path);
    expect(chapters).toHaveLength(count);
    expect(chapters[0]).toMatchObject({ title: 'Chapter 1 é', startMs: 0 });
    expect(chapters.at(-1)).toMatchObject({ title: `Chapter ${count} é`, endMs: durationMs });
    const starts = chapters.map(({ startMs }) => startMs);
    const theirs = (ffprobe(path).chapters ?? []).map(({ start_time }) => Math.round(Number(start_time) * 1000));
    for (const [index, start] of theirs.entries())
      expect(Math.abs((starts[index] ?? -1) - start)).toBeLessThanOrEqual(1);
  });

  it.each(['flac', 'ogg'])('chapters in the comments of %s are read', async (format) => {
    const tags = {
      CHAPTER000: '00:00:00.000',
      CHAPTER000NAME: 'One',
      CHAPTER001: '00:00:01.500',
      CHAPTER001NAME: 'Two',
    };
    const { chapters } = await probed(sound(format, { seconds: 3, tags }));
    expect(chapters).toEqual([
      { title: 'One', startMs: 0, endMs: 1500 },
      { title: 'Two', startMs: 1500, endMs: 3000 },
    ]);
  });

  it('chapters survive an index that was moved to the front', async () => {
    const { chapters } = await probed(sound('m4b', { seconds: 12, chapters: 60, extra: ['-movflags', '+faststart'] }));
    expect(chapters).toHaveLength(60);
  });

  it.each(['mp3', 'm4b', 'flac'])('the cover of %s is the picture that was put in', async (format) => {
    const path = sound(format, { cover: true });
    const source = await openSource(path);
    const { cover } = await probe(source);
    expect(cover?.mime).toBe('image/png');
    expect(Buffer.from((await cover?.bytes()) ?? [])).toEqual(readFileSync(coverFile()));
    const { offset = 0, length = 0 } = cover ?? {};
    expect(readFileSync(path).subarray(offset, offset + length)).toEqual(readFileSync(coverFile()));
    await source.close();
  });
});

describe('a file that is not whole', () => {
  const cut = (format: string, share: number, options = {}): string => {
    const path = join(temporaryFolder(), `cut.${format}`);
    copyFileSync(sound(format, { seconds: 30, ...options }), path);
    truncateSync(path, Math.floor(statSync(path).size * share));
    return path;
  };

  it.each([
    ['mp3', {}],
    ['flac', {}],
    ['ogg', {}],
    ['opus', {}],
    ['m4b', { extra: ['-movflags', '+faststart'] }],
  ])('%s that was cut off says so, and how much is there', async (format, options) => {
    const { isIncomplete, durationMs } = await probed(cut(format, 0.5, options));
    expect(isIncomplete).toBe(true);
    expect(durationMs).toBeGreaterThan(10_000);
    expect(durationMs).toBeLessThan(20_000);
  });

  it('m4b whose index is missing is incomplete', async () => {
    await expect(probed(cut('m4b', 0.5))).rejects.toMatchObject({ kind: 'incomplete' });
  });

  it('text, nothing and noise are not sound', async () => {
    const folder = temporaryFolder();
    for (const [name, content] of [
      ['text.mp3', 'This is no sound at all. '.repeat(5_000)],
      ['empty.m4b', ''],
      ['zeros.flac', '\0'.repeat(100_000)],
      ['ones.mp3', Buffer.alloc(500_000, 0xff)],
    ] as const) {
      writeFileSync(join(folder, name), content);
      await expect(probed(join(folder, name))).rejects.toMatchObject({ name: 'MediaError' });
    }
  });

  it('a file that is another format than its name says is read as what it is', async () => {
    const bytes = readFileSync(sound('mp3'));
    expect((await probe(memorySource(bytes))).stream.codec).toBe('mp3');
  });
});
