import type { Limiter } from '@holdfast/base';
import { isSame, readSound } from '../adapters/read-sound.ts';
import { cachedFileName } from './file-names.ts';
import type { FileProblem, FileSignature, ScannedFile } from '../model/scanned.ts';
import type { ScanMemory } from '../model/engines.ts';
import type { UnitFile } from './units.ts';

export interface UnitReader {
  readonly root: string;
  readonly memory: ScanMemory;
  readonly limiter: Limiter;
  readonly signal: AbortSignal;
  /** Whether the file changed recently and may still be being written. */
  readonly isYoung: (signature: FileSignature) => boolean;
  /** Called after each file; `wasRead` is false for known files. */
  readonly onFile: (wasRead: boolean) => void;
}

export type Read = { readonly file: ScannedFile } | { readonly problem: FileProblem };

export const gone = (path: string): Read => ({
  problem: { kind: 'changing', path, message: 'it went away while we looked' },
});
export const written = (path: string): Read => ({
  problem: { kind: 'changing', path, message: 'it is being written' },
});

export async function readOne(
  { root, memory, limiter, signal, onFile }: UnitReader,
  sound: UnitFile,
  signature: FileSignature | undefined,
  changing: ReadonlySet<string>,
): Promise<Read> {
  const { path } = sound;
  if (signature === undefined) return gone(path);
  if (changing.has(path)) return written(path);
  const known = await memory.file(signature);
  const isKnown = known !== undefined && isSame(known, signature);
  const read: Read = isKnown
    ? { file: elsewhere(known, path) }
    : await limiter.run(async () => {
        signal.throwIfAborted();
        return readSound(root, path);
      });
  onFile(!isKnown);
  // The file changed between stat and open, so something is writing it.
  const isOther = 'file' in read && !isSame(read.file, signature);
  if (isOther) return written(path);
  return 'file' in read ? { file: numbered(read.file, sound) } : read;
}

/** Returns a known file at its new path. */
export function elsewhere(file: ScannedFile, path: string): ScannedFile {
  const { cover, problem } = file;
  return {
    ...file,
    path,
    ...(cover === undefined ? {} : { cover: { ...cover, path } }),
    ...(problem === undefined ? {} : { problem: { ...problem, path } }),
  };
}

/** Takes disc and track from the tags, else from folder and file names. */
export function numbered(file: ScannedFile, sound: UnitFile): ScannedFile {
  const named = cachedFileName(file.path.slice(file.path.lastIndexOf('/') + 1));
  const { disc: _disc, track: _track, ...rest } = file;
  const disc = sound.disc ?? file.tags.disc ?? named.disc;
  const track = file.tags.track ?? named.track;
  return { ...rest, ...(disc === undefined ? {} : { disc }), ...(track === undefined ? {} : { track }) };
}
