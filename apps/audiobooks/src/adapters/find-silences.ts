import { INPUT_OPTIONS, inputFile, runFfmpeg } from './ffmpeg.ts';
import { inside } from './library-files.ts';

export interface Silence {
  readonly startMs: number;
  readonly endMs: number;
}

export interface SilenceRequest {
  readonly root: string;
  readonly path: string;
  /** Shorter silences are ignored. */
  readonly lengthMs: number;
  /** Audio below this level counts as silence. */
  readonly noiseDb: number;
  readonly signal: AbortSignal;
}

/** Lists the silences in a file with ffmpeg's silencedetect, which decodes the whole file. */
export async function findSilences(request: SilenceRequest): Promise<readonly Silence[]> {
  const { root, path, lengthMs, noiseDb, signal } = request;
  const filter = `silencedetect=noise=${noiseDb}dB:duration=${lengthMs / 1_000},ametadata=mode=print:file=-`;
  const input = [...INPUT_OPTIONS, '-i', inputFile(inside(root, path))];
  const found: Silence[] = [];
  let startMs: number | undefined;
  const onLine = (line: string): void => {
    const [, name, value] = /^lavfi\.silence_(start|end)=(-?[\d.]+)/u.exec(line) ?? [];
    if (name === undefined) return;
    const at = Math.max(0, Math.round(Number(value) * 1_000));
    if (name === 'start') startMs = at;
    else if (startMs !== undefined) found.push({ startMs, endMs: at });
  };
  const args = [...input, '-map', '0:a:0', '-af', filter, '-f', 'null', '-'];
  await runFfmpeg({ args, cwd: root, signal, onLine });
  return found;
}
