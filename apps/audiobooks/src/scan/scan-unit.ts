import { signatureAt } from '../adapters/list-folder.ts';
import type { FileProblem, FileSignature, ScannedFile } from '../model/scanned.ts';
import { assembleBooks } from './assemble.ts';
import { readBeside } from './beside.ts';
import { fingerprintOf } from './fingerprint.ts';
import type { ScannedUnit } from '../model/engines.ts';
import { type Read, readOne, type UnitReader } from './read-file.ts';
import type { Unit } from './units.ts';

/** A unit with the current signatures of its files. */
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
  const beside = await readBeside(root, unit.besides, (path) => signatures.get(path)?.size ?? 0);
  const { names, siblings } = unit;
  const books = assembleBooks({ unit: unit.unit, names, files, siblings, ...beside });
  const isSettled = !problems.some(({ kind }) => kind === 'changing' || kind === 'forbidden');
  return { unit: unit.unit, fingerprint: isSettled ? fingerprint : undefined, books, problems };
}
