import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { made, sound } from '../../audiobooks/test/fixtures.ts';
import { taggedMp3, type Tags } from '../../audiobooks/test/tagged.ts';

export const longTitle =
  'The Remarkably Long and Winding Account of Everything That Happened to a Very Small Boat on a Very Large Sea, ' +
  'Told by Those Who Were There, with Notes, an Index, and Donaudampfschifffahrtsgesellschaftskapitänsmützenständer';
export const hebrewTitle = 'אלף לילה ולילה';

/**
 * Creates these books: one with a cover and chapters, one in Hebrew, one with a long title, two in a series, and one
 * with many files.
 */
export function plantLibrary(root: string): void {
  plantFile(
    join(root, 'Jane Austen/Emma/Emma.m4b'),
    sound('m4b', {
      seconds: 8,
      chapters: 3,
      tags: {
        title: 'Emma',
        album: 'Emma',
        artist: 'Jane Austen',
        composer: 'Prunella Scales',
        date: '1815',
        genre: 'Classics',
      },
    }),
  );
  plantFile(join(root, 'Jane Austen/Emma/cover.png'), picture('0f766e', 'f59e0b'));
  writeFileSync(join(root, 'Jane Austen/Emma/Emma.epub'), 'the text of Emma');
  const books: readonly (readonly [string, Tags])[] = [
    [
      `incoming/${hebrewTitle}/01.mp3`,
      { album: hebrewTitle, artist: 'שחרזאד', title: 'הלילה הראשון', genre: 'Folklore' },
    ],
    ['incoming/long/01.mp3', { album: longTitle, artist: 'Anonymous', title: 'All of it' }],
    ['incoming/Dune 1/01.mp3', dune('Dune', '1')],
    ['incoming/Dune 3/01.mp3', dune('Children of Dune', '3')],
    ['incoming/Pride/01.mp3', part(1)],
    ['incoming/Pride/02.mp3', part(2)],
    ['incoming/Pride/03.mp3', part(3)],
  ];
  // Each book has a different tone, because a scan treats identical audio as the same book.
  for (const [at, [path, tags]] of books.entries()) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), taggedMp3(tags, 300 + 40 * at));
  }
}

function dune(album: string, seriesPart: string): Tags {
  return { album, artist: 'Frank Herbert', title: album, series: 'Dune', seriesPart, track: '1' };
}

function part(track: number): Tags {
  return {
    album: 'Pride and Prejudice',
    artist: 'Jane Austen',
    title: `Volume ${track}`,
    track: `${track}/3`,
    year: '1813',
  };
}

function plantFile(path: string, source: string): void {
  mkdirSync(dirname(path), { recursive: true });
  copyFileSync(source, path);
}

/** A picture with two colours. */
export function picture(from: string, to: string): string {
  const gradient = `gradients=s=600x600:c0=0x${from}:c1=0x${to}:x0=0:y0=0:x1=600:y1=600:d=1`;
  return made('png', ['-f', 'lavfi', '-i', gradient, '-frames:v', '1']);
}
