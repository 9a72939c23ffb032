import { spawn } from 'node:child_process';

import { systemErrorCode } from '@holdfast/base';

import { audiobookErrors } from '../model/errors.ts';

export interface FfmpegRun {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** Receives the duration of the output written so far. */
  readonly onProgress?: (outputMs: number) => void;
  /** Receives each line that a filter prints to the standard output. */
  readonly onLine?: (line: string) => void;
  /** Receives the last lines of ffmpeg's error output, even if ffmpeg succeeds. */
  readonly onComplaint?: OnComplaint | undefined;
}

export type OnComplaint = (line: string) => void;

/**
 * Maximum length of the kept error output. Only the end is kept: a damaged file can cause an error per packet, and the
 * last errors explain why ffmpeg stopped.
 */
const ERRORS_MAX = 8 * 1024;
const LINES_MAX = 20;
const LINE_MAX = 500;

/** Allows local files only, so that no media file can make ffmpeg open a network address. */
export const INPUT_OPTIONS: readonly string[] = ['-protocol_whitelist', 'file,pipe'];

/** Prefixes a path, so that ffmpeg does not read it as an option or a protocol. */
export const inputFile = (path: string): string => `file:${path}`;

/** Runs ffmpeg and returns its error output, which may be non-empty on success. */
export async function runFfmpeg({ args, cwd, signal, onProgress, onLine, onComplaint }: FfmpegRun): Promise<string> {
  signal.throwIfAborted();
  const common = ['-nostdin', '-hide_banner', '-loglevel', 'error', '-y'];
  const child = spawn('ffmpeg', [...common, '-progress', 'pipe:1', ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stop = (): void => void child.kill('SIGKILL');
  signal.addEventListener('abort', stop, { once: true });
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints = (complaints + text).slice(-ERRORS_MAX)));
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (onLine !== undefined) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      lines.forEach(onLine);
    }
    const last = [...text.matchAll(/^out_time_us=(\d+)$/gmu)].at(-1);
    if (last !== undefined) onProgress?.(Math.round(Number(last[1]) / 1000));
  });
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', resolve);
    });
    signal.throwIfAborted();
    const lines = lastLines(complaints);
    for (const line of lines) onComplaint?.(line);
    if (code === 0) return complaints.trim();
    const full = lines.find((line) => line.includes('No space left on device'));
    if (full !== undefined) throw audiobookErrors.LIBRARY_FULL(`ffmpeg: ${full}`);
    throw audiobookErrors.FFMPEG_FAILED(`ffmpeg ended with ${code ?? 'a signal'}: ${lines.at(-1) ?? ''}`, {
      details: { complaints: lines },
    });
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') throw error;
    throw audiobookErrors.FFMPEG_MISSING('ffmpeg was not found on the PATH.', { cause: error });
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function lastLines(text: string): readonly string[] {
  const lines = text.split(/[\r\n]+/u).filter((line) => line.trim() !== '');
  return lines.slice(-LINES_MAX).map((line) => line.slice(0, LINE_MAX));
}
