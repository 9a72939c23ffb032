import { syncFile } from '@holdfast/base';
import { INPUT_OPTIONS, inputFile, runFfmpeg } from '../adapters/ffmpeg.ts';
import { readSound } from '../adapters/read-sound.ts';
import { audiobookErrors } from '../model/errors.ts';
import type { ScannedFile } from '../model/scanned.ts';

export interface Expected {
  readonly durationMs: number;
  readonly parts: number;
  readonly chapterStartsMs: readonly number[];
}

/** Half a second, or 20 ms per part. */
const toleranceMs = (parts: number): number => Math.max(500, 20 * parts);

const invalid = (message: string): Error => audiobookErrors.ENCODED_INVALID(`The new file ${message}.`);

/** Accepts a new file only if its duration and chapters match its parts and it decodes to the end without errors. */
export async function verifyEncoded(
  folder: string,
  name: string,
  expected: Expected,
  signal: AbortSignal,
): Promise<ScannedFile> {
  await syncFile(`${folder}/${name}`);
  const read = await readSound(folder, name);
  if ('problem' in read) throw invalid(`cannot be read: ${read.problem.message}`);
  const { file } = read;
  if (file.problem !== undefined) throw invalid('is not complete');
  const difference = file.durationMs - expected.durationMs;
  if (Math.abs(difference) > toleranceMs(expected.parts)) {
    throw invalid(`is ${Math.abs(difference)} ms too ${difference > 0 ? 'long' : 'short'}`);
  }
  const starts = expected.chapterStartsMs;
  if (file.chapters.length !== starts.length) {
    throw invalid(`has ${file.chapters.length} chapters instead of ${starts.length}`);
  }
  const shifted = file.chapters.findIndex(
    ({ startMs }, index) => Math.abs(startMs - (starts[index] ?? 0)) > toleranceMs(expected.parts),
  );
  if (shifted !== -1) throw invalid(`begins chapter ${shifted + 1} in another place`);
  const decode = [
    '-xerror',
    ...INPUT_OPTIONS,
    '-i',
    inputFile(`${folder}/${name}`),
    '-map',
    '0:a:0',
    '-f',
    'null',
    '-',
  ];
  const complaints = await runFfmpeg({ args: decode, cwd: folder, signal });
  if (complaints !== '') throw invalid(`cannot be played without errors: ${complaints.split('\n')[0] ?? ''}`);
  return file;
}
