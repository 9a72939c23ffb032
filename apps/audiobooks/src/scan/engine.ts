import { delay, Limiter, systemClock } from '@holdfast/base';
import { signatureAt } from '../adapters/list-folder.ts';
import { isSame, readSound } from '../adapters/read-sound.ts';
import type { ScanEngine, ScanMemory, ScannedUnit, ScanSummary } from '../model/engines.ts';
import type { FileProblem, FileSignature, ScannedFile } from '../model/scanned.ts';
import { assembleBooks } from './assemble.ts';
import { cachedFileName } from './group.ts';
import { readSidecars } from './sidecars.ts';
import { couldBeDisc, fingerprintOf, type Unit, type UnitFile, walk, type Walked } from './units.ts';

interface ScanOptions {
  readonly concurrency?: number;
  /** How long a file must be unchanged before it is read. */
  readonly settleMs?: number;
  readonly now?: () => number;
}

const CONCURRENCY = 4;
const SETTLE_MS = 2_000;

type Request = Parameters<ScanEngine['scan']>[0];

/** Scans a library and delivers changed units one at a time. */
export function createScanEngine(options: ScanOptions = {}): ScanEngine {
  return { scan: (request) => new Scan(request, options).run() };
}

class Scan {
  readonly #request: Request;
  readonly #reader: UnitReader;
  readonly #concurrency: number;
  readonly #settleMs: number;
  readonly #now: () => number;
  /** Units with recently changed files. They are scanned last, so that their files can settle. */
  readonly #unsettled: StatedUnit[] = [];
  readonly #counts = { units: 0, unchangedUnits: 0, files: 0, readFiles: 0, books: 0, problems: 0 };
  #total = 0;
  #isWalked = false;

  constructor(request: Request, { concurrency = CONCURRENCY, settleMs = SETTLE_MS, now = systemClock }: ScanOptions) {
    this.#request = request;
    this.#concurrency = concurrency;
    this.#settleMs = settleMs;
    this.#now = now;
    const { root, memory, signal } = request;
    const onFile = (wasRead: boolean): void => this.#advance(1, wasRead);
    const isYoung: UnitReader['isYoung'] = (signature) => this.#isYoung(changedAt(signature));
    this.#reader = { root, memory, signal, limiter: new Limiter(concurrency), isYoung, onFile };
  }

  async run(): Promise<ScanSummary> {
    const { signal } = this.#request;
    try {
      await drain(this.#walk(), this.#concurrency * 2, (walked) => this.#take(walked));
      this.#isWalked = true;
      await this.#settle();
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    this.#report();
    return { ...this.#counts, isCancelled: signal.aborted };
  }

  async *#walk(): AsyncGenerator<Walked, void> {
    const { root, folders = [''], signal } = this.#request;
    for (const folder of new Set(folders.map(aboveDiscs))) {
      for await (const walked of walk(root, folder)) {
        if (signal.aborted) return;
        yield walked;
      }
    }
  }

  async #take(walked: Walked): Promise<void> {
    this.#request.signal.throwIfAborted();
    if ('problem' in walked) {
      this.#counts.problems += 1;
      await this.#request.receiver.problem?.(walked.problem);
      return;
    }
    await this.#takeUnit(walked.unit);
  }

  async #takeUnit(unit: Unit): Promise<void> {
    const { root, memory, receiver } = this.#request;
    this.#counts.units += 1;
    this.#total += unit.sounds.length;
    const known = await memory.fingerprint(unit.unit);
    if (known === undefined) return this.#takeUnseen(unit);
    const stated = await stateOf(root, unit);
    if (known === stated.fingerprint) {
      this.#counts.unchangedUnits += 1;
      await receiver.unchanged(unit.unit);
      this.#advance(unit.sounds.length, false);
      return;
    }
    if (this.#isYoung(lastChange(stated))) this.#unsettled.push(stated);
    else await this.#deliver(stated);
  }

  async #takeUnseen(unit: Unit): Promise<void> {
    const { stated, scanned, isYoung, files, readFiles } = await scanUnseen(this.#reader, unit);
    if (!isYoung) return this.#handOver(scanned);
    this.#unsettled.push(stated);
    // The second scan of the unit counts these files again.
    this.#counts.files -= files;
    this.#counts.readFiles -= readFiles;
  }

  #isYoung(changedAtMs: number): boolean {
    return this.#now() - changedAtMs < this.#settleMs;
  }

  /** Waits, then scans the unsettled units. Files that changed in the meantime count as still being written. */
  async #settle(): Promise<void> {
    const youngest = this.#unsettled.reduce((latest, stated) => Math.max(latest, lastChange(stated)), 0);
    const left = Math.min(this.#settleMs, youngest + this.#settleMs - this.#now());
    if (this.#unsettled.length > 0 && left > 0) await delay(left, this.#request.signal);
    const again = this.#unsettled.splice(0);
    await drain(each(again), this.#concurrency * 2, async (before) => {
      this.#request.signal.throwIfAborted();
      const stated = await stateOf(this.#request.root, before.unit);
      await this.#deliver(stated, differing(before, stated));
    });
  }

  async #deliver(stated: StatedUnit, changing?: ReadonlySet<string>): Promise<void> {
    await this.#handOver(await scanUnit(this.#reader, stated, changing));
  }

  async #handOver(scanned: ScannedUnit): Promise<void> {
    this.#counts.books += scanned.books.length;
    this.#counts.problems += scanned.problems.length;
    await this.#request.receiver.unit(scanned);
  }

  #advance(files: number, wasRead: boolean): void {
    this.#counts.files += files;
    if (wasRead) this.#counts.readFiles += files;
    this.#report();
  }

  #report(): void {
    const { files } = this.#counts;
    this.#request.receiver.progress?.({ files, total: this.#total, isWalked: this.#isWalked });
  }
}

/** Returns the folder to scan. For a disc folder, this is the book's folder. */
function aboveDiscs(folder: string): string {
  let path = folder;
  while (path !== '' && couldBeDisc(path.slice(path.lastIndexOf('/') + 1))) {
    path = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
  }
  return path;
}

function differing(before: StatedUnit, after: StatedUnit): ReadonlySet<string> {
  const changed = new Set<string>();
  for (const [path, signature] of after.signatures) {
    const earlier = before.signatures.get(path);
    if (earlier?.size !== signature?.size || earlier?.mtimeNs !== signature?.mtimeNs) changed.add(path);
  }
  return changed;
}

async function* each<T>(items: readonly T[]): AsyncGenerator<T, void> {
  yield* items;
}

interface Unseen {
  readonly stated: StatedUnit;
  readonly scanned: ScannedUnit;
  /** True if a file changed recently, so the unit must be scanned again later. */
  readonly isYoung: boolean;
  /** Number of files that this scan counted. */
  readonly files: number;
  /** Number of files whose content this scan read. */
  readonly readFiles: number;
}

/** Scans a new unit. Takes signatures from the opened files, so that it needs no separate stat call. */
export async function scanUnseen(reader: UnitReader, unit: Unit): Promise<Unseen> {
  const sidecars = unit.sidecars.map(async (path) => [path, await signatureAt(reader.root, path)] as const);
  const read = await Promise.all(unit.sounds.map((sound) => readUnseen(reader, sound)));
  const found = [...read.map(({ path, signature }) => [path, signature] as const), ...(await Promise.all(sidecars))];
  const stated = { unit, signatures: new Map(found), fingerprint: fingerprintOf(found) };
  const scanned = await assembled(reader.root, stated, read);
  const isYoung =
    read.some((one) => one.isYoung) ||
    unit.sidecars.some((path) => {
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
  /** Whether the content was read; undefined if the file was not opened. */
  readonly wasRead?: boolean;
};

async function readUnseen(reader: UnitReader, sound: UnitFile): Promise<ReadUnseen> {
  const { root, memory, limiter, signal, onFile } = reader;
  const { path } = sound;
  // Checks only once whether the file changed recently: a second check could differ, because it depends on the current
  // time.
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

/** Runs `work` on the items of `source`, up to `workers` at a time. The first failure stops all workers. */
export async function drain<T>(
  source: AsyncIterator<T>,
  workers: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  let hasFailed = false;
  const one = async (): Promise<void> => {
    while (!hasFailed) {
      const next = await source.next();
      if (next.done === true) return;
      try {
        await work(next.value);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: workers }, one));
}

/** A unit with the current signatures of its files. */
interface StatedUnit {
  readonly unit: Unit;
  readonly signatures: ReadonlyMap<string, FileSignature | undefined>;
  readonly fingerprint: string;
}

export async function stateOf(root: string, unit: Unit): Promise<StatedUnit> {
  const paths = [...unit.sounds.map(({ path }) => path), ...unit.sidecars];
  const found = await Promise.all(paths.map(async (path) => [path, await signatureAt(root, path)] as const));
  return { unit, signatures: new Map(found), fingerprint: fingerprintOf(found) };
}

/** Returns the latest modification time of the unit's files, in milliseconds since 1970. */
function lastChange({ signatures }: StatedUnit): number {
  let latest = 0;
  for (const signature of signatures.values()) {
    if (signature !== undefined) latest = Math.max(latest, changedAt(signature));
  }
  return latest;
}

const changedAt = ({ mtimeNs }: FileSignature): number => Number(BigInt(mtimeNs) / 1_000_000n);

/** Reads unknown files and assembles the books. `changing` are the files that are still being written. */
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

async function assembled(root: string, stated: StatedUnit, read: readonly Read[]): Promise<ScannedUnit> {
  const { unit, signatures, fingerprint } = stated;
  const problems: FileProblem[] = [];
  const files: ScannedFile[] = [];
  for (const one of read) {
    if ('file' in one) files.push(one.file);
    const problem = 'file' in one ? one.file.problem : one.problem;
    if (problem !== undefined) problems.push(problem);
  }
  const { unreadable, ...found } = await readSidecars(root, unit.sidecars, (path) => signatures.get(path)?.size ?? 0);
  for (const path of unreadable) problems.push({ kind: 'forbidden', path, message: 'the file cannot be read' });
  const { names, siblings } = unit;
  const books = assembleBooks({ unit: unit.unit, names, files, siblings, ...found });
  const isSettled = !problems.some(({ kind }) => kind === 'changing' || kind === 'forbidden');
  return { unit: unit.unit, fingerprint: isSettled ? fingerprint : undefined, books, problems };
}

interface UnitReader {
  readonly root: string;
  readonly memory: ScanMemory;
  readonly limiter: Limiter;
  readonly signal: AbortSignal;
  /** Returns whether the file changed recently: another program may still be writing it. */
  readonly isYoung: (signature: FileSignature) => boolean;
  /** Called after each file; `wasRead` is false for files that were already known. */
  readonly onFile: (wasRead: boolean) => void;
}

type Read = { readonly file: ScannedFile } | { readonly problem: FileProblem };

const gone = (path: string): Read => ({
  problem: { kind: 'changing', path, message: 'the file disappeared during the scan' },
});
const written = (path: string): Read => ({
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
  // If the file changed between stat and open, another program is still writing it.
  const isOther = 'file' in read && !isSame(read.file, signature);
  if (isOther) return written(path);
  return 'file' in read ? { file: numbered(read.file, sound) } : read;
}

/** Returns the stored data of a file that now has another path. */
function elsewhere(file: ScannedFile, path: string): ScannedFile {
  const { cover, problem } = file;
  return {
    ...file,
    path,
    ...(cover === undefined ? {} : { cover: { ...cover, path } }),
    ...(problem === undefined ? {} : { problem: { ...problem, path } }),
  };
}

/**
 * Sets the disc number from the disc folder, the tags or the file name, and the track number from the tags or the file
 * name.
 */
function numbered(file: ScannedFile, sound: UnitFile): ScannedFile {
  const named = cachedFileName(file.path.slice(file.path.lastIndexOf('/') + 1));
  const { disc: _disc, track: _track, ...rest } = file;
  const disc = sound.disc ?? file.tags.disc ?? named.disc;
  const track = file.tags.track ?? named.track;
  return { ...rest, ...(disc === undefined ? {} : { disc }), ...(track === undefined ? {} : { track }) };
}
