import { signatureAt } from '../adapters/list-folder.ts';
import { isSame, readSound } from '../adapters/read-sound.ts';
import type { FileSignature } from '../model/scanned.ts';
import { fingerprintOf } from './fingerprint.ts';
import type { ScannedUnit } from '../model/engines.ts';
import { elsewhere, gone, numbered, type Read, type UnitReader, written } from './read-file.ts';
import { assembled, type StatedUnit } from './scan-unit.ts';
import type { Unit, UnitFile } from './units.ts';

export interface Unseen {
  readonly stated: StatedUnit;
  readonly scanned: ScannedUnit;
  /** A file changed recently, so the unit must be scanned again. */
  readonly isYoung: boolean;
  /** Files counted, and files read. */
  readonly files: number;
  readonly readFiles: number;
}

/** Scans a new unit. Takes signatures while opening the files, which saves a separate stat. */
export async function scanUnseen(reader: UnitReader, unit: Unit): Promise<Unseen> {
  const besides = unit.besides.map(async (path) => [path, await signatureAt(reader.root, path)] as const);
  const read = await Promise.all(unit.sounds.map((sound) => readUnseen(reader, sound)));
  const found = [...read.map(({ path, signature }) => [path, signature] as const), ...(await Promise.all(besides))];
  const stated = { unit, signatures: new Map(found), fingerprint: fingerprintOf(found) };
  const scanned = await assembled(reader.root, stated, read);
  const isYoung =
    read.some((one) => one.isYoung) ||
    unit.besides.some((path) => {
      const signature = stated.signatures.get(path);
      return signature !== undefined && reader.isYoung(signature);
    });
  const counted = read.filter(({ wasRead }) => wasRead !== undefined);
  const readFiles = counted.filter(({ wasRead }) => wasRead).length;
  return { stated, scanned, isYoung, files: counted.length, readFiles };
}

type ReadUnseen = Read & {
  readonly path: string;
  readonly signature: FileSignature | undefined;
  readonly isYoung: boolean;
  /** Undefined if the file was not opened. */
  readonly wasRead?: boolean;
};

async function readUnseen(reader: UnitReader, sound: UnitFile): Promise<ReadUnseen> {
  const { root, memory, limiter, signal, onFile } = reader;
  const { path } = sound;
  // Evaluated once, because the answer changes with time.
  const seen = { signature: undefined as FileSignature | undefined, isYoung: false, isKnown: false };
  const look = (signature: FileSignature): void =>
    void Object.assign(seen, { signature, isYoung: reader.isYoung(signature) });
  const read = await limiter.run(async () => {
    signal.throwIfAborted();
    return readSound(root, path, async (signature) => {
      look(signature);
      if (seen.isYoung) return written(path);
      const known = await memory.file(signature);
      if (known === undefined || !isSame(known, signature)) return undefined;
      seen.isKnown = true;
      return { file: elsewhere(known, path) };
    });
  });
  if (seen.signature === undefined) {
    // The file cannot be opened, but stat may still work.
    const signature = await signatureAt(root, path);
    if (signature === undefined) return { ...gone(path), path, signature, isYoung: false };
    look(signature);
  }
  const { signature, isYoung, isKnown } = seen;
  if (isYoung) return { ...read, path, signature, isYoung };
  onFile(!isKnown);
  const result = 'file' in read ? { file: numbered(read.file, sound) } : read;
  return { ...result, path, signature, isYoung, wasRead: !isKnown };
}
