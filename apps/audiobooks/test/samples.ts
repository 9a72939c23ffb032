import { readFileSync } from 'node:fs';

import { sound } from './fixtures.ts';

const TAGS = {
  title: 'One',
  album: 'Dune',
  artist: 'Frank Herbert',
  date: '1965',
  genre: 'Fiction',
  comment: 'x'.repeat(300),
};

/** Small samples of every supported media format; most have tags, some chapters and covers. */
export function mediaSamples(): readonly Buffer[] {
  return [
    sound('mp3', { seconds: 2, tags: TAGS, chapters: 5, cover: true }),
    sound('mp3', { seconds: 2, tags: TAGS, extra: ['-write_xing', '0', '-id3v2_version', '3'] }),
    sound('m4b', { seconds: 2, tags: TAGS, chapters: 12, cover: true }),
    sound('m4b', { seconds: 2, tags: TAGS, chapters: 3, extra: ['-movflags', '+faststart'] }),
    sound('m4a', {
      seconds: 2,
      extra: ['-f', 'mp4', '-movflags', 'frag_keyframe+empty_moov', '-frag_duration', '200000'],
    }),
    sound('flac', { seconds: 2, tags: TAGS, cover: true }),
    sound('ogg', { seconds: 2, tags: TAGS }),
    sound('opus', { seconds: 2, tags: TAGS, chapters: 5 }),
  ].map((path) => readFileSync(path));
}
