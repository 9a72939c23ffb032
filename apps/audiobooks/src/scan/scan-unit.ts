import { signatureAt } from '../adapters/list-folder.ts';
import { isSame, readSound } from '../adapters/read-sound.ts';
import { readFileName } from '../model/names/file-name.ts';
import type { FileProblem, FileSignature, ScannedFile } from '../model/scanned.ts';
import { assembleBooks } from './assemble.ts';
import { readBeside } from './beside.ts';
import { fingerprintOf } from './fingerprint.ts';
import type { ScanMemory, ScannedUnit } from './memory.ts';
import type { Unit, UnitFile } from './units.ts';

/** A unit with what its files are at this moment. */
export interface StatedUnit {
  readonly unit: Unit;
  readonly signatures: ReadonlyMap<string, FileSignature | undefined>;
  readonly fingerprint: string;
}

export async function stateOf(root: string, unit: Unit): Promise<StatedUnit> {
  const paths = [...unit.sounds.map(({ path }) => path), ...unit.besides];
  const found = await Promise.all(paths.map(async (path) => [path, await signatureAt(root, path)] as const));
  return { unit, signatures: new Map(found), fingerprint: fingerprintOf(found) };
}

/** The youngest change of a file of the unit, in milliseconds since 1970. */
export function lastChange({ signatures }: StatedUnit): number {
  let latest = 0;
  for (const signature of signatures.values()) {
    if (signature !== undefined) latest = Math.max(latest, Number(BigInt(signature.mtimeNs) / 1_000_000n));
  }
  return latest;
}

export interface UnitReader {
  readonly root: string;
  readonly memory: ScanMemory;
  readonly limit: <T>(task: () => Promise<T>) => Promise<T>;
  readonly signal: AbortSignal;
  /** After each file; `wasRead` unless it was known. */
  readonly onFile: (wasRead: boolean) => void;
}

/** Reads what is not known yet and makes books of it. `changing` are files that somebody is still writing. */
export async function scanUnit(
  reader: UnitReader,
  { unit, signatures, fingerprint }: StatedUnit,
  changing: ReadonlySet<string> = new Set(),
): Promise<ScannedUnit> {
  const problems: FileProblem[] = [];
  const files: ScannedFile[] = [];
  const read = await Promise.all(
    unit.sounds.map((sound) => readOne(reader, sound, signatures.get(sound.path), changing)),
  );
  for (const one of read) {
    if ('file' in one) files.push(one.file);
    const problem = 'file' in one ? one.file.problem : one.problem;
    if (problem !== undefined) problems.push(problem);
  }
  const beside = await readBeside(reader.root, unit.besides, (path) => signatures.get(path)?.size ?? 0);
  const { names, siblings } = unit;
  const books = assembleBooks({ unit: unit.unit, names, files, siblings, ...beside });
  const isSettled = !problems.some(({ kind }) => kind === 'changing' || kind === 'forbidden');
  return { unit: unit.unit, fingerprint: isSettled ? fingerprint : undefined, books, problems };
}

type Read = { readonly file: ScannedFile } | { readonly problem: FileProblem };

async function readOne(
  { root, memory, limit, signal, onFile }: UnitReader,
  sound: UnitFile,
  signature: FileSignature | undefined,
  changing: ReadonlySet<string>,
): Promise<Read> {
  const { path } = sound;
  if (signature === undefined) return { problem: { kind: 'changing', path, message: 'it went away while we looked' } };
  if (changing.has(path)) return { problem: { kind: 'changing', path, message: 'it is being written' } };
  const known = await memory.file(signature);
  const isKnown = known !== undefined && isSame(known, signature);
  const read: Read = isKnown
    ? { file: elsewhere(known, path) }
    : await limit(async () => {
        signal.throwIfAborted();
        return readSound(root, path);
      });
  onFile(!isKnown);
  // What was opened is not what was looked at before: somebody is at work here.
  const isOther = 'file' in read && !isSame(read.file, signature);
  if (isOther) return { problem: { kind: 'changing', path, message: 'it is being written' } };
  return 'file' in read ? { file: numbered(read.file, sound) } : read;
}

/** A known file that lies somewhere else now. */
function elsewhere(file: ScannedFile, path: string): ScannedFile {
  const { cover, problem } = file;
  return {
    ...file,
    path,
    ...(cover === undefined ? {} : { cover: { ...cover, path } }),
    ...(problem === undefined ? {} : { problem: { ...problem, path } }),
  };
}

/** Which disc and track: from the tags, else from the folder and the name. */
function numbered(file: ScannedFile, sound: UnitFile): ScannedFile {
  const named = readFileName(file.path.slice(file.path.lastIndexOf('/') + 1));
  const { disc: _disc, track: _track, ...rest } = file;
  const disc = sound.disc ?? file.tags.disc ?? named.disc;
  const track = file.tags.track ?? named.track;
  return { ...rest, ...(disc === undefined ? {} : { disc }), ...(track === undefined ? {} : { track }) };
}
