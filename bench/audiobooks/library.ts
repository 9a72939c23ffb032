import { spawnSync } from 'node:child_process';
import { copyFileSync, linkSync, mkdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';

/** Modification time of the files, old enough that a scan does not treat them as still being written. */
const LONG_AGO = new Date('2020-01-01T00:00:00Z');

export function ffmpeg(...args: readonly string[]): void {
  const { status, stderr } = spawnSync('ffmpeg', ['-nostdin', '-loglevel', 'error', '-y', ...args], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`ffmpeg: ${stderr}`);
}

/** Creates a tone in every format. Every file of the library is a copy of one of these tones. */
export function makeSounds(folder: string, seconds: number): readonly string[] {
  mkdirSync(folder, { recursive: true });
  const tone = [
    '-f',
    'lavfi',
    '-i',
    `sine=frequency=440:sample_rate=22050:duration=${seconds}`,
    '-metadata',
    'artist=A B',
  ];
  const kinds: readonly (readonly [string, readonly string[]])[] = [
    ['constant.mp3', ['-c:a', 'libmp3lame', '-b:a', '32k']],
    ['variable.mp3', ['-c:a', 'libmp3lame', '-q:a', '9']],
    ['uncounted.mp3', ['-c:a', 'libmp3lame', '-b:a', '32k', '-write_xing', '0']],
    ['sound.m4a', ['-c:a', 'aac', '-b:a', '32k', '-f', 'ipod']],
    ['sound.ogg', ['-c:a', 'libvorbis', '-q:a', '0']],
  ];
  return kinds.map(([name, encoder]) => {
    const path = join(folder, name);
    ffmpeg(...tone, ...encoder, path);
    return path;
  });
}

/** Writes `files` files, ten per folder `Author/Series/NN - Title`, one format per folder. */
export function fillLibrary(root: string, sounds: readonly string[], files: number, isLinked = false): void {
  for (let book = 0; book * 10 < files; book++) {
    const source = sounds[book % sounds.length] ?? '';
    const extension = source.slice(source.lastIndexOf('.'));
    const folder = join(root, `Author ${book % 40}`, `Series ${book % 80}`, `${book} - Book Number ${book}`);
    mkdirSync(folder, { recursive: true });
    for (let part = 1; part <= 10; part++) {
      const path = join(folder, `${String(part).padStart(2, '0')} - Part${extension}`);
      if (isLinked) linkSync(source, path);
      else copyFileSync(source, path);
      if (!isLinked) utimesSync(path, LONG_AGO, LONG_AGO);
    }
  }
  if (isLinked) for (const sound of sounds) utimesSync(sound, LONG_AGO, LONG_AGO);
}
