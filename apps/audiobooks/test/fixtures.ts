import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Real media files, created once by ffmpeg and cached in .cache. */

/**
 * The repository's cache, even if the tests run in a copy with a planted bug. Such copies are below `.cache`, so
 * everything from `/.cache/` on is removed from the path.
 */
const CACHE = resolve(process.cwd().split('/.cache/')[0] ?? '.', '.cache', 'audiobooks-fixtures');

export function runFfmpeg(args: readonly string[]): void {
  execFileSync('ffmpeg', ['-nostdin', '-hide_banner', '-loglevel', 'error', '-y', ...args], { stdio: 'pipe' });
}

/** Runs ffmpeg with these arguments plus an output path, or returns the cached result. */
export function made(extension: string, args: readonly string[], inputs: readonly string[] = []): string {
  const hash = createHash('sha256').update(JSON.stringify([extension, args]));
  for (const input of inputs) hash.update(readFileSync(input));
  const path = join(CACHE, `${hash.digest('hex').slice(0, 24)}.${extension}`);
  if (existsSync(path)) return path;
  mkdirSync(CACHE, { recursive: true });
  // Several tests may create the same file at once, so each writes its own and renames it.
  const unfinished = join(CACHE, `unfinished-${process.pid}-${Math.random().toString(36).slice(2)}.${extension}`);
  runFfmpeg([...args, unfinished]);
  renameSync(unfinished, path);
  return path;
}

/** Writes a text file for ffmpeg, named after its content. */
function textInput(extension: string, text: string): string {
  const path = join(CACHE, `${createHash('sha256').update(text).digest('hex').slice(0, 24)}.${extension}`);
  if (existsSync(path)) return path;
  mkdirSync(CACHE, { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, text);
  renameSync(unfinished, path);
  return path;
}

const sine = (seconds: number, frequency = 440): readonly string[] => [
  '-f',
  'lavfi',
  '-i',
  `sine=frequency=${frequency}:sample_rate=22050:duration=${seconds}`,
];

const ENCODERS: Readonly<Record<string, readonly string[]>> = {
  mp3: ['-c:a', 'libmp3lame', '-b:a', '32k'],
  m4a: ['-c:a', 'aac', '-b:a', '32k', '-f', 'ipod'],
  m4b: ['-c:a', 'aac', '-b:a', '32k', '-f', 'ipod'],
  flac: ['-c:a', 'flac'],
  ogg: ['-c:a', 'libvorbis', '-q:a', '1', '-ar', '22050'],
  opus: ['-c:a', 'libopus', '-b:a', '24k'],
};

export interface SoundOptions {
  readonly seconds?: number;
  readonly frequency?: number;
  readonly tags?: Readonly<Record<string, string>>;
  readonly extra?: readonly string[];
  readonly chapters?: number;
  readonly cover?: boolean;
}

/** A tone with optional tags, chapters and cover. */
export function sound(extension: string, options: SoundOptions = {}): string {
  const { seconds = 1, frequency, tags = {}, extra = [], chapters = 0, cover = false } = options;
  const inputs: string[] = [];
  const args = [...sine(seconds, frequency)];
  if (cover) {
    inputs.push(coverFile());
    args.push('-i', coverFile());
  }
  if (chapters > 0) {
    const metadata = textInput('ffmeta', chapterText(chapters, seconds));
    args.push('-i', metadata, '-map_chapters', String(inputs.length + 1));
    args.push('-map_metadata', String(inputs.length + 1));
    inputs.push(metadata);
  }
  args.push('-map', '0:a');
  if (cover) args.push('-map', '1:v', '-c:v', 'copy', '-disposition:v:0', 'attached_pic');
  for (const [name, value] of Object.entries(tags)) args.push('-metadata', `${name}=${value}`);
  return made(extension, [...args, ...(ENCODERS[extension] ?? []), ...extra], inputs);
}

function chapterText(count: number, seconds: number): string {
  const lines = [';FFMETADATA1'];
  const length = Math.floor((seconds * 1000) / count);
  for (let n = 0; n < count; n++) {
    lines.push(
      '[CHAPTER]',
      'TIMEBASE=1/1000',
      `START=${n * length}`,
      `END=${(n + 1) * length}`,
      `title=Chapter ${n + 1} é`,
    );
  }
  return `${lines.join('\n')}\n`;
}

export function coverFile(): string {
  return made('png', ['-f', 'lavfi', '-i', 'color=c=teal:s=32x32:d=1', '-frames:v', '1']);
}

interface FfprobeAnswer {
  readonly format?: { readonly tags?: Readonly<Record<string, string>> };
  readonly chapters?: readonly { readonly start_time: string; readonly tags?: { readonly title?: string } }[];
  readonly packets?: readonly { readonly duration_time?: string }[];
}

/** Reads the duration (summed over packets) and chapters with ffprobe. */
export function ffprobe(path: string): { readonly durationMs: number; readonly chapters: FfprobeAnswer['chapters'] } {
  const args = ['-v', 'error', '-of', 'json', '-select_streams', 'a:0', '-show_chapters'];
  const text = execFileSync('ffprobe', [...args, '-show_entries', 'packet=duration_time', path], {
    maxBuffer: 64 * 1024 * 1024,
    encoding: 'utf8',
  });
  const answer = JSON.parse(text) as FfprobeAnswer;
  const seconds = (answer.packets ?? []).reduce((sum, packet) => sum + Number(packet.duration_time ?? 0), 0);
  return { durationMs: Math.round(seconds * 1000), chapters: answer.chapters };
}
