import type { Limiter } from '@holdfast/base';
import { signatureAt } from '../adapters/list-folder.ts';
import { isSame, readSound } from '../adapters/read-sound.ts';
import type { ScanMemory, ScannedUnit } from '../model/engines.ts';
import type { FileProblem, FileSignature, ScannedFile } from '../model/scanned.ts';
import { assembleBooks } from './assemble.ts';
import { cachedFileName } from './group.ts';
import { readSidecars } from './sidecars.ts';
import { fingerprintOf, type Unit, type UnitFile } from './units.ts';

/** A unit with the current signatures of its files. */
export interface StatedUnit {
  readonly unit: Unit;
  readonly signatures: ReadonlyMap<string, FileSignature | undefined>;
  readonly fingerprint: string;
}

export async function stateOf(root: string, unit: Unit): Promise<StatedUnit> {
  const paths = [...unit.sounds.map(({ path }) => path), ...unit.sidecars];
  const found = await Promise.all(paths.map(async (path) => [path, await signatureAt(root, path)] as const));
  return { unit, signatures: new Map(found), fingerprint: fingerprintOf(found) };
}

/** Returns the latest modification time in the unit, in milliseconds since 1970. */
export function lastChange({ signatures }: StatedUnit): number {
  let latest = 0;
  for (const signature of signatures.values()) {
    if (signature !== undefined) latest = Math.max(latest, changedAt(signature));
  }
  return latest;
}

export const changedAt = ({ mtimeNs }: FileSignature): number => Number(BigInt(mtimeNs) / 1_000_000n);

/** Reads unknown files and assembles the books. `changing` are files still being written. */
export async function scanUnit(
  reader: UnitReader,
  stated: StatedUnit,
  changing: ReadonlySet<string> = new Set(),
): Promise<ScannedUnit> {
  const { unit, signatures } = stated;
  const read = await Promise.all(
    unit.sounds.map((sound) => readOne(reader, sound, signatures.get(sound.path), changing)),
  );
  return assembled(reader.root, stated, read);
}

export async function assembled(root: string, stated: StatedUnit, read: readonly Read[]): Promise<ScannedUnit> {
  const { unit, signatures, fingerprint } = stated;
  const problems: FileProblem[] = [];
  const files: ScannedFile[] = [];
  for (const one of read) {
    if ('file' in one) files.push(one.file);
    const problem = 'file' in one ? one.file.problem : one.problem;
    if (problem !== undefined) problems.push(problem);
  }
  const found = await readSidecars(root, unit.sidecars, (path) => signatures.get(path)?.size ?? 0);
  const { names, siblings } = unit;
  const books = assembleBooks({ unit: unit.unit, names, files, siblings, ...found });
  const isSettled = !problems.some(({ kind }) => kind === 'changing' || kind === 'forbidden');
  return { unit: unit.unit, fingerprint: isSettled ? fingerprint : undefined, books, problems };
}

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
  problem: { kind: 'changing', path, message: 'the file disappeared during the scan' },
});
export const written = (path: string): Read => ({
  problem: { kind: 'changing', path, message: 'the file is still being written' },
});

async function readOne(
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
