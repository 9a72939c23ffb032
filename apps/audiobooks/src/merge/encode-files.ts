import { Limiter } from '@holdfast/base';
import { INPUT_OPTIONS, inputFile, type OnComplaint, runFfmpeg } from '../adapters/ffmpeg.ts';
import { openSource } from '../adapters/file-source.ts';
import { inside, nameForFfmpeg, writeWorkFile } from '../adapters/library-files.ts';
import { readSound } from '../adapters/read-sound.ts';
import { wholePacketsMs } from '../media/mp4.ts';
import { type Chapter, chapterComments, chaptersFromMarks, chaptersOfParts } from '../model/chapters.ts';
import type { BookFacts } from '../model/engines.ts';
import { audiobookErrors } from '../model/errors.ts';
import type { ScannedFile, StreamFormat } from '../model/scanned.ts';

type Pipeline =
  /** Copies packets without encoding them, so no quality is lost. */
  | { readonly kind: 'copy' }
  /** Joins all files and encodes the result in one pass. */
  | { readonly kind: 'encode'; readonly target: EncodeTarget }
  /** Encodes each file separately, then joins the results; for files with different formats. */
  | { readonly kind: 'encode_each'; readonly target: EncodeTarget };

interface EncodeTarget {
  readonly sampleRate: number;
  readonly channels: number;
  readonly bitrateKbps: number;
}

/** Codecs that can be copied into an m4b file without encoding. */
const COPYABLE = new Set(['aac', 'alac']);

const areEqual = (left: StreamFormat, right: StreamFormat): boolean =>
  left.codec === right.codec &&
  left.profile === right.profile &&
  left.sampleRate === right.sampleRate &&
  left.channels === right.channels;

function choosePipeline(files: readonly ScannedFile[], bitrateKbps?: number): Pipeline {
  const [first, ...others] = files.map(({ stream }) => stream);
  const areSame = first !== undefined && others.every((stream) => areEqual(first, stream));
  const areMp4 = files.every(({ format }) => format === 'm4a' || format === 'm4b');
  if (areSame && areMp4 && COPYABLE.has(first.codec) && bitrateKbps === undefined) return { kind: 'copy' };
  return { kind: areSame ? 'encode' : 'encode_each', target: targetFor(files, bitrateKbps) };
}

const RATES = [8_000, 11_025, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000];
const KBPS_PER_CHANNEL = 64;

/**
 * Uses the highest sample rate and the highest channel count of all inputs, limited to values that every player
 * supports. Without these options, ffmpeg would use the values of the first file.
 */
function targetFor(files: readonly ScannedFile[], bitrateKbps?: number): EncodeTarget {
  const wanted = Math.max(...files.map(({ stream }) => stream.sampleRate));
  const sampleRate = RATES.find((rate) => rate >= wanted) ?? 48_000;
  const channels = Math.min(2, Math.max(1, ...files.map(({ stream }) => stream.channels)));
  return { sampleRate, channels, bitrateKbps: bitrateKbps ?? KBPS_PER_CHANNEL * channels };
}

/** Formats milliseconds as seconds for ffmpeg lists. */
const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(6);

interface JoinRequest {
  readonly root: string;
  readonly book: BookFacts;
  readonly files: readonly ScannedFile[];
  readonly titles: readonly string[];
  /** Absolute path of the work folder. */
  readonly work: string;
  readonly cover: { readonly bytes: Uint8Array; readonly mime: string } | undefined;
  readonly bitrateKbps?: number | undefined;
  readonly signal: AbortSignal;
  readonly onProgress: (doneMs: number, totalMs: number) => void;
  readonly onComplaint?: OnComplaint;
}

interface Joined {
  /** Name of the joined file in the work folder. */
  readonly name: string;
  /** Duration of each part in the joined file. */
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
  const totalMs = durationsMs.reduce((sum, durationMs) => sum + durationMs, 0);
  const edited = chaptersFromMarks(request.book.chapters, totalMs);
  const own = durationsMs.map((durationMs, index) => ({
    title: request.titles[index] ?? '',
    durationMs,
    chapters: request.files[index]?.chapters ?? [],
  }));
  const chapters = edited.length > 0 ? edited : chaptersOfParts(own);
  const list = [...(await concatList(request, parts, pipeline.kind)), ...chapterLines(chapters)];
  await writeWorkFile(request.work, 'list.txt', `${list.join('\n')}\n`);
  const coding = pipeline.kind === 'encode' ? encoding(pipeline.target) : ['-c:a', 'copy'];
  const tags = tagArguments(request.book, chapters);
  const args = [...(await joinInputs(request)), ...coding, ...tags, '-movflags', '+faststart', '-f', 'ipod', OUTPUT];
  const partsMs = parts.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const { signal, work, onComplaint } = request;
  const onProgress = (done: number): void => request.onProgress(done, partsMs);
  await runFfmpeg({ args, cwd: work, signal, onProgress, onComplaint });
  return {
    name: OUTPUT,
    durationsMs,
    chapterStartsMs: chapters.map(({ startMs }) => startMs),
    pipeline: pipeline.kind,
  };
}

/** Fills gaps and cuts overlaps, so that each part starts where `durationsMs` says. */
const encoding = (target: EncodeTarget): readonly string[] => ['-af', 'aresample=async=1:first_pts=0', ...aac(target)];

function aac({ sampleRate, channels, bitrateKbps }: EncodeTarget): readonly string[] {
  return ['-c:a', 'aac', '-b:a', `${bitrateKbps}k`, '-ar', String(sampleRate), '-ac', String(channels)];
}

async function joinInputs({ work, cover }: JoinRequest): Promise<readonly string[]> {
  // `-safe 0` allows options in the list, which contains only text generated here.
  const inputs = ['-f', 'concat', '-safe', '0', '-i', 'list.txt'];
  const mapping = ['-map', '0:a:0', '-map_metadata', '-1', '-map_chapters', '0'];
  const name = cover === undefined ? undefined : PICTURE_NAMES.get(cover.mime);
  if (cover === undefined || name === undefined) return [...inputs, ...mapping];
  await writeWorkFile(work, name, cover.bytes);
  // The cover is a second input, so ffmpeg reads each input in its own thread. The long queue keeps the two inputs from
  // blocking each other. Without a cover, the option would only add a thread, and joining would take twice as long.
  const picture = ['-i', name, ...mapping, '-map', '1:v:0', '-c:v', 'copy', '-disposition:v:0', 'attached_pic'];
  return ['-thread_queue_size', '8192', ...inputs, ...picture];
}

const chapterLines = (chapters: readonly Chapter[]): readonly string[] =>
  chapters.map(({ startMs, endMs }, index) => `chapter ${index} ${seconds(startMs)} ${seconds(endMs)}`);

const PICTURE_NAMES: ReadonlyMap<string, string> = new Map([
  ['image/jpeg', 'cover.jpg'],
  ['image/jpg', 'cover.jpg'],
  ['image/png', 'cover.png'],
]);

/** Rounds the start times, not the durations, so that rounding errors do not add up. */
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
  /** Relative to the library, or to the work folder if the part was encoded there. */
  readonly path: string;
  readonly durationMs: number;
}

/** Returns the parts with their durations in the new file, unrounded, so that rounding errors do not add up. */
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

/**
 * Writes the list for ffmpeg. It contains only names and durations that this code creates, no text from the library.
 */
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
    // Ignores the edit list, which tells players to skip the encoder's priming packet at the start of the file. In a
    // joined file, players play these packets, so `durationMs` includes them.
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

interface TranscodeRequest {
  readonly source: string;
  readonly file: ScannedFile;
  readonly format: string;
  readonly work: string;
  readonly index: number;
  readonly bitrateKbps?: number | undefined;
  readonly signal: AbortSignal;
  readonly onProgress: (doneMs: number) => void;
  readonly onComplaint: OnComplaint;
}

interface Encoder {
  readonly codec: string;
  readonly muxer: string;
  readonly hasBitrate: boolean;
  readonly hasPicture: boolean;
  readonly hasComments?: true;
}

const ENCODERS: ReadonlyMap<string, Encoder> = new Map(
  Object.entries({
    m4b: { codec: 'aac', muxer: 'ipod', hasBitrate: true, hasPicture: true },
    m4a: { codec: 'aac', muxer: 'ipod', hasBitrate: true, hasPicture: true },
    mp3: { codec: 'libmp3lame', muxer: 'mp3', hasBitrate: true, hasPicture: true },
    flac: { codec: 'flac', muxer: 'flac', hasBitrate: false, hasPicture: true, hasComments: true },
    opus: { codec: 'libopus', muxer: 'opus', hasBitrate: true, hasPicture: false, hasComments: true },
  }),
);

/** Encodes one file with its tags, chapters and cover; returns the name of the result. */
export async function transcodeFile(request: TranscodeRequest): Promise<string> {
  const { source, file, format, work, index, signal, onProgress, onComplaint } = request;
  const encoder = ENCODERS.get(format);
  if (encoder === undefined) {
    throw audiobookErrors.FIELD_INVALID(
      `No encoder for "${format}". Available formats: ${[...ENCODERS.keys()].join(', ')}.`,
    );
  }
  const name = `new-${index}.${format}`;
  const { sampleRate, channels, bitrateKbps } = targetFor([file], request.bitrateKbps);
  const picture = encoder.hasPicture ? ['-map', '0:v?', '-c:v', 'copy'] : [];
  const disposition = picture.length > 0 && file.cover !== undefined ? ['-disposition:v:0', 'attached_pic'] : [];
  const input = [...INPUT_OPTIONS, '-i', inputFile(source), '-map', '0:a:0', ...picture, ...disposition];
  const bitrate = encoder.hasBitrate ? ['-b:a', `${bitrateKbps}k`] : [];
  // Opus chooses its own rates and always plays at 48,000 Hz.
  const rate = format === 'opus' ? [] : ['-ar', String(sampleRate)];
  // Ogg and Opus store tags in the stream, other formats in the container.
  const tags = file.format === 'ogg' || file.format === 'opus' ? '0:s:a:0' : '0';
  const chapters = encoder.hasComments === true ? commentArguments(file.chapters) : ['-map_chapters', '0'];
  const sound = ['-map_metadata', tags, ...chapters, '-c:a', encoder.codec, ...bitrate, ...rate];
  const args = [...input, ...sound, '-ac', String(channels), '-f', encoder.muxer, name];
  await runFfmpeg({ args, cwd: work, signal, onProgress, onComplaint });
  return name;
}

/** Removes control characters, which are unsafe in arguments and terminals; keeps line breaks. */
// oxlint-disable-next-line no-control-regex -- removes control characters
const plain = (text: string): string => text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/gu, '');

/**
 * Returns book tags and chapter titles as ffmpeg arguments. A metadata file would be a second input: ffmpeg would pass
 * every packet between threads and take twice as long.
 */
function tagArguments(book: BookFacts, chapters: readonly Chapter[]): readonly string[] {
  const tags = Object.entries(bookTags(book)).filter(([, value]) => value !== '');
  return [
    ...tags.flatMap(([name, value]) => ['-metadata', `${name}=${plain(value)}`]),
    ...chapters.flatMap(({ title }, index) => [`-metadata:c:${index}`, `title=${plain(title)}`]),
  ];
}

/**
 * Writes chapters as Vorbis comments. The chapters that ffmpeg writes are wrong: it rounds the seconds before it adds
 * the milliseconds, so a chapter in the second half of a second starts one second late.
 */
function commentArguments(chapters: readonly Chapter[]): readonly string[] {
  return [
    '-map_chapters',
    '-1',
    ...chapterComments(chapters).flatMap(([name, value]) => ['-metadata', `${name}=${plain(value)}`]),
  ];
}

/** Returns the tags of a book. The narrator is in the composer tag, where players expect it. */
function bookTags(book: BookFacts): Readonly<Record<string, string>> {
  const [series] = book.series;
  return {
    title: book.title,
    album: book.title,
    artist: book.authors.join('; '),
    album_artist: book.authors.join('; '),
    composer: book.narrators.join('; '),
    genre: book.genres.join('; '),
    date: book.year === undefined ? '' : String(book.year),
    description: book.description ?? '',
    publisher: book.publisher ?? '',
    grouping:
      series === undefined ? '' : [series.name, series.sequence].filter((text) => text !== undefined).join(' #'),
    media_type: '2',
  };
}
