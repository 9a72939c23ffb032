import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { made, sound } from '../../audiobooks/test/fixtures.ts';
import { plant } from '../../audiobooks/test/tree.ts';

export const longTitle =
  'The Remarkably Long and Winding Account of Everything That Happened to a Very Small Boat on a Very Large Sea, ' +
  'Told by Those Who Were There, with Notes, an Index, and Donaudampfschifffahrtsgesellschaftskapitänsmützenständer';
export const hebrewTitle = 'אלף לילה ולילה';

/** A few real books: one with a cover and chapters, one from right to left, one with a very long title, two of a series, one in many files. */
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
  plant(root, {
    [`incoming/${hebrewTitle}/01.mp3`]: {
      album: hebrewTitle,
      artist: 'שחרזאד',
      title: 'הלילה הראשון',
      genre: 'Folklore',
    },
    'incoming/long/01.mp3': { album: longTitle, artist: 'Anonymous', title: 'All of it' },
    'incoming/Dune 1/01.mp3': dune('Dune', '1', 1),
    'incoming/Dune 3/01.mp3': dune('Children of Dune', '3', 1),
    'incoming/Pride/01.mp3': part(1),
    'incoming/Pride/02.mp3': part(2),
    'incoming/Pride/03.mp3': part(3),
  });
}

function dune(album: string, seriesPart: string, track: number): Record<string, string> {
  return {
    album,
    artist: 'Frank Herbert',
    title: `${album}, part ${track}`,
    series: 'Dune',
    seriesPart,
    track: String(track),
  };
}

function part(track: number): Record<string, string> {
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

/** A picture of two colours. */
export function picture(from: string, to: string): string {
  const gradient = `gradients=s=600x600:c0=0x${from}:c1=0x${to}:x0=0:y0=0:x1=600:y1=600:d=1`;
  return made('png', ['-f', 'lavfi', '-i', gradient, '-frames:v', '1']);
}
