import { Limiter } from '@holdfast/base';
import { INPUT_OPTIONS, inputFile, type OnComplaint, runFfmpeg } from '../adapters/ffmpeg.ts';
import { openSource } from '../adapters/file-source.ts';
import { inside } from '../adapters/inside.ts';
import { wholePacketsMs } from '../media/mp4.ts';
import { readSound } from '../adapters/read-sound.ts';
import { nameForFfmpeg, writeWorkFile } from '../adapters/work-files.ts';
import { type Chapter, chaptersOfParts } from '../model/chapters.ts';
import { audiobookErrors } from '../model/errors.ts';
import type { ScannedFile } from '../model/scanned.ts';
import type { BookFacts } from '../model/engines.ts';
import { choosePipeline, type EncodeTarget, type Pipeline, seconds } from './pipeline.ts';
import { tagArguments } from './tag-arguments.ts';

export interface JoinRequest {
  readonly root: string;
  readonly book: BookFacts;
  readonly files: readonly ScannedFile[];
  readonly titles: readonly string[];
  /** Absolute path. */
  readonly work: string;
  readonly cover: { readonly bytes: Uint8Array; readonly mime: string } | undefined;
  readonly bitrateKbps?: number | undefined;
  readonly signal: AbortSignal;
  readonly onProgress: (doneMs: number, totalMs: number) => void;
  readonly onComplaint?: OnComplaint;
}

export interface Joined {
  /** In the work folder. */
  readonly name: string;
  /** Duration of each part as the pipeline produced it. */
  readonly durationsMs: readonly number[];
  readonly chapterStartsMs: readonly number[];
  readonly pipeline: string;
}

const OUTPUT = 'out.m4b';

/** Joins all files into one m4b. A file without chapters becomes one chapter. */
export async function joinFiles(request: JoinRequest): Promise<Joined> {
  const pipeline = choosePipeline(request.files, request.bitrateKbps);
  const parts = await partsFor(request, pipeline);
  const durationsMs = wholeMilliseconds(parts);
  const chapters = chaptersOfParts(
    durationsMs.map((durationMs, index) => ({
      title: request.titles[index] ?? '',
      durationMs,
      chapters: request.files[index]?.chapters ?? [],
    })),
  );
  const list = [...(await concatList(request, parts, pipeline.kind)), ...chapterLines(chapters)];
  await writeWorkFile(request.work, 'list.txt', `${list.join('\n')}\n`);
  const coding = pipeline.kind === 'encode' ? encoding(pipeline.target) : ['-c:a', 'copy'];
  const tags = tagArguments(request.book, chapters);
  const args = [...(await joinInputs(request)), ...coding, ...tags, '-movflags', '+faststart', '-f', 'ipod', OUTPUT];
  const totalMs = parts.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const { signal, work, onComplaint } = request;
  const onProgress = (done: number): void => request.onProgress(done, totalMs);
  await runFfmpeg({ args, cwd: work, signal, onProgress, onComplaint });
  return {
    name: OUTPUT,
    durationsMs,
    chapterStartsMs: chapters.map(({ startMs }) => startMs),
    pipeline: pipeline.kind,
  };
}

/** Fills gaps and cuts overlaps by timestamp, so that each part starts where the map says. */
const encoding = (target: EncodeTarget): readonly string[] => ['-af', 'aresample=async=1:first_pts=0', ...aac(target)];

function aac({ sampleRate, channels, bitrateKbps }: EncodeTarget): readonly string[] {
  return ['-c:a', 'aac', '-b:a', `${bitrateKbps}k`, '-ar', String(sampleRate), '-ac', String(channels)];
}

async function joinInputs({ work, cover }: JoinRequest): Promise<readonly string[]> {
  // `-safe 0` allows options in the list, which contains only our own values. A cover adds a second input; the long
  // queue keeps the inputs from blocking each other.
  const inputs = ['-thread_queue_size', '8192', '-f', 'concat', '-safe', '0', '-i', 'list.txt'];
  const mapping = ['-map', '0:a:0', '-map_metadata', '-1', '-map_chapters', '0'];
  const name = cover === undefined ? undefined : PICTURE_NAMES.get(cover.mime);
  if (cover === undefined || name === undefined) return [...inputs, ...mapping];
  await writeWorkFile(work, name, cover.bytes);
  return [...inputs, '-i', name, ...mapping, '-map', '1:v:0', '-c:v', 'copy', '-disposition:v:0', 'attached_pic'];
}

const chapterLines = (chapters: readonly Chapter[]): readonly string[] =>
  chapters.map(({ startMs, endMs }, index) => `chapter ${index} ${seconds(startMs)} ${seconds(endMs)}`);

const PICTURE_NAMES: ReadonlyMap<string, string> = new Map([
  ['image/jpeg', 'cover.jpg'],
  ['image/jpg', 'cover.jpg'],
  ['image/png', 'cover.png'],
]);

/** Rounds the start times, not the durations, so that errors do not add up. */
function wholeMilliseconds(parts: readonly Part[]): readonly number[] {
  let exact = 0;
  let rounded = 0;
  return parts.map(({ durationMs }) => {
    exact += durationMs;
    const length = Math.round(exact) - rounded;
    rounded += length;
    return length;
  });
}

interface Part {
  /** In the library, or in the work folder if encoded there. */
  readonly path: string;
  readonly durationMs: number;
}

/**
 * Returns the parts with their durations in the new file, in microseconds, so that rounding does not accumulate over
 * many parts.
 */
async function partsFor(request: JoinRequest, pipeline: Pipeline): Promise<readonly Part[]> {
  const { root, work, files } = request;
  if (pipeline.kind === 'encode') return files;
  const [folder, sources] =
    pipeline.kind === 'copy' ? [root, files] : [work, await encodeEach(request, pipeline.target)];
  const limiter = new Limiter(OPEN_AT_ONCE);
  return Promise.all(
    sources.map(({ path, durationMs }) =>
      limiter.run(async () => {
        const source = await openSource(inside(folder, path));
        try {
          return { path, durationMs: (await wholePacketsMs(source)) ?? durationMs };
        } finally {
          await source.close();
        }
      }),
    ),
  );
}

const OPEN_AT_ONCE = 16;

/** The list contains only our own names and measured durations, nothing from the library. */
async function concatList(
  request: JoinRequest,
  parts: readonly Part[],
  kind: Pipeline['kind'],
): Promise<readonly string[]> {
  const lines = ['ffconcat version 1.0'];
  const named: Promise<unknown>[] = [];
  for (const [index, { path, durationMs }] of parts.entries()) {
    const isOwn = kind === 'encode_each';
    const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
    const name = isOwn ? path : `in-${index}.${extension}`;
    if (!isOwn) named.push(nameForFfmpeg(inside(request.root, path), request.work, name));
    lines.push(`file ${name}`, `duration ${seconds(durationMs)}`);
    // Keeps the priming packet, which players skip in a single file but which takes time in the joined one.
    if (kind !== 'encode') lines.push('option ignore_editlist 1');
  }
  await Promise.all(named);
  return lines;
}

async function encodeEach(request: JoinRequest, target: EncodeTarget): Promise<readonly ScannedFile[]> {
  const { root, work, signal, files } = request;
  const totalMs = files.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const made: ScannedFile[] = [];
  let before = 0;
  for (const [index, { path, durationMs }] of files.entries()) {
    const name = `part-${index}.m4a`;
    const input = [...INPUT_OPTIONS, '-i', inputFile(inside(root, path))];
    const onProgress = (done: number): void => request.onProgress(before + done, totalMs);
    const args = [
      ...input,
      '-map',
      '0:a:0',
      '-map_metadata',
      '-1',
      '-map_chapters',
      '-1',
      ...aac(target),
      '-f',
      'ipod',
      name,
    ];
    const onComplaint = (line: string): void => request.onComplaint?.(`${path}: ${line}`);
    await runFfmpeg({ args, cwd: work, signal, onProgress, onComplaint });
    const read = await readSound(work, name);
    if ('problem' in read) throw audiobookErrors.ENCODED_INVALID(`${path}: ${read.problem.message}`);
    made.push(read.file);
    before += durationMs;
  }
  return made;
}
