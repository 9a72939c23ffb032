import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { readSound } from '../../apps/audiobooks/src/adapters/read-sound.ts';
import { joinFiles } from '../../apps/audiobooks/src/merge/encode-files.ts';
import type { ScannedFile } from '../../apps/audiobooks/src/model/scanned.ts';
import type { BookFacts } from '../../apps/audiobooks/src/model/engines.ts';
import { compare, type Context, type Figure } from '../lib/harness.ts';
import { ffmpeg } from './library.ts';

/** Workload: join a book of many parts into one m4b without encoding. Baseline: ffmpeg with a prepared list. */
export async function mergeFigures(context: Context): Promise<readonly Figure[]> {
  const root = join(context.folder, 'merge');
  mkdirSync(root, { recursive: true });
  const files = await parts(root, context.quick ? 5 : 60, context.quick ? 10 : 300);
  const [ours, theirs] = [join(root, 'ours'), join(root, 'theirs')];
  for (const folder of [ours, theirs]) mkdirSync(folder);
  writeFileSync(join(theirs, 'list.txt'), files.map(({ path }) => `file '${join(root, path)}'\n`).join(''));
  const compared = await compare({
    operations: 1,
    rounds: context.quick ? 2 : 7,
    warmUpRounds: 1,
    ours: () =>
      joinFiles({
        root,
        book: bookOf(files),
        files,
        titles: files.map(({ path }) => path),
        work: ours,
        cover: undefined,
        signal: new AbortController().signal,
        onProgress: () => undefined,
      }),
    baseline: () => alone(theirs),
  });
  rmSync(root, { recursive: true });
  const { ratio, oursMicros, baselineMicros } = compared;
  const baseline = `ffmpeg alone, ${files.length} parts: ${(baselineMicros / 1000).toFixed(0)} ms (ours ${(oursMicros / 1000).toFixed(0)} ms)`;
  return [{ name: 'audiobooks.merge_copy', value: 1 / ratio, unit: '×', baseline, goal: 0.8, better: 'higher' }];
}

async function parts(root: string, count: number, seconds: number): Promise<readonly ScannedFile[]> {
  const tone = ['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=44100:duration=${seconds}`];
  ffmpeg(...tone, '-c:a', 'aac', '-b:a', '64k', '-f', 'ipod', join(root, '0.m4a'));
  const files: ScannedFile[] = [];
  for (let n = 0; n < count; n++) {
    if (n > 0) copyFileSync(join(root, '0.m4a'), join(root, `${n}.m4a`));
    const read = await readSound(root, `${n}.m4a`);
    if ('problem' in read) throw new Error(read.problem.message);
    files.push(read.file);
  }
  return files;
}

function alone(folder: string): Promise<void> {
  const args =
    '-nostdin -loglevel error -y -f concat -safe 0 -i list.txt -map 0:a -c copy -movflags +faststart -f ipod out.m4b';
  return new Promise((resolve, reject) => {
    const child = spawn('ffmpeg', args.split(' '), { cwd: folder, stdio: 'ignore' });
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`ffmpeg ended with ${code}`))));
  });
}

function bookOf(files: readonly ScannedFile[]): BookFacts {
  const nothing = { subtitle: undefined, year: undefined, publisher: undefined, language: undefined, isbn: undefined };
  const more = {
    asin: undefined,
    description: undefined,
    edition: undefined,
    cover: undefined,
    chapters: [],
    genres: [],
    series: [],
  };
  const own = files.map((file) => ({ ...file, segmentId: file.path, disc: undefined, track: undefined }));
  return {
    bookId: 'B',
    generation: 1,
    folder: '',
    title: 'T',
    authors: ['A'],
    narrators: [],
    files: own,
    ...nothing,
    ...more,
  };
}
