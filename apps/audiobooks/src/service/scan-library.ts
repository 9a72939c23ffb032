import { failpoint, SerialQueue } from '@holdfast/base';
import { existsIn, presentRoot } from '../adapters/library-root.ts';
import { watchLibrary } from '../adapters/watch-library.ts';
import type { OperationContext, ScanMemory, ScannedUnit, ScanReceiver } from '../model/engines.ts';
import { audiobookErrors } from '../model/errors.ts';
import type { Operation, OperationOptions } from '../model/operation.ts';
import type { Library } from '../model/records.ts';
import type { FileProblem, ScannedFile } from '../model/scanned.ts';
import { fileFacts, segments, units } from '../store/definitions.ts';
import { applyLeftBooks, applyUnit, applyVanishedUnit, type UnitOutcome } from './apply-scan/apply-unit.ts';
import type { Exists } from './apply-scan/match.ts';
import { scannedFileOf } from './apply-scan/scanned-fields.ts';
import { type Audiobooks, stampFor } from './audiobooks.ts';
import { noteScanned } from './libraries.ts';
import { forgetOriginals } from './operations/prune-operations.ts';
import { runOperation } from './operations/run-operation.ts';

interface ScanRequest extends OperationOptions {
  readonly library: Library;
  /** Scans only these folders, relative to the root. */
  readonly folders?: readonly string[];
}

/** Scans a library. If the scan is cancelled, its results so far stay, and the next scan continues from there. */
export async function scanLibrary(audiobooks: Audiobooks, request: ScanRequest): Promise<Operation> {
  const { library, folders, by } = request;
  const isKnown = (await audiobooks.store.list(units, { library: library.id }, { limit: 1 })).length > 0;
  const root = presentRoot(library.root, !isKnown);
  const params = { library: library.id, root: library.root, ...(folders === undefined ? {} : { folders }) };
  const operation = { ...request, type: 'scan', target: `library:${library.id}`, params, createdBy: by } as const;
  return runOperation(audiobooks, operation, async (context) => {
    const session = new ScanSession(audiobooks, {
      libraryId: library.id,
      operationId: context.operationId,
      by,
      exists: existsIn,
      ...(folders === undefined ? {} : { within: folders }),
    });
    const summary = await audiobooks.engines.scan.scan({
      root: library.root,
      ...(folders === undefined ? {} : { folders }),
      memory: session.memory,
      receiver: reportingReceiver(session, context),
      signal: context.signal,
    });
    await session.flush();
    if (!summary.isCancelled) {
      if (presentRoot(library.root, !isKnown) !== root) {
        throw audiobookErrors.LIBRARY_UNAVAILABLE(`${library.root} was replaced by another folder during the scan.`);
      }
      await session.finish();
      await noteScanned(audiobooks, library.id);
      await forgetOriginals(audiobooks);
    }
    context.signal.throwIfAborted();
    const { isCancelled: _, ...counts } = summary;
    return { result: { ...counts, ...session.outcome, problems: summary.problems } };
  });
}

function reportingReceiver(
  session: ScanSession,
  context: OperationContext,
): ScanSession['receiver'] & {
  readonly progress: NonNullable<ScanReceiver['progress']>;
} {
  const problem = ({ path, message }: FileProblem): void => context.log('warn', `${path}: ${message}`);
  return {
    async unit(scanned) {
      for (const found of scanned.problems) problem(found);
      await session.receiver.unit(scanned);
    },
    unchanged: session.receiver.unchanged,
    async problem(found) {
      problem(found);
      await session.receiver.problem(found);
    },
    // The total is unknown until all folders are listed.
    progress: ({ files, total, isWalked }) => context.progress(files, isWalked ? total : 0, 'files'),
  };
}

interface WatchRequest extends OperationOptions {
  readonly signal: AbortSignal;
  readonly libraries: readonly Library[];
  readonly onScanned: (operation: Operation) => void;
  readonly onProblem: (library: Library, message: string) => void;
}

/** Scans each library, then rescans changed folders until aborted. */
export async function watchLibraries(audiobooks: Audiobooks, request: WatchRequest): Promise<void> {
  const { libraries, onScanned, onProblem, ...options } = request;
  const watches = libraries.map((library) =>
    watchLibrary({
      root: library.root,
      signal: request.signal,
      onChange: async (folders) => {
        const only = folders.includes('') ? {} : { folders };
        onScanned(await scanLibrary(audiobooks, { ...options, library, ...only }));
      },
      onProblem: (message) => onProblem(library, message),
    }),
  );
  await Promise.all(watches);
}

interface ScanSessionOptions {
  readonly libraryId: string;
  readonly operationId: string | null;
  readonly by: string;
  readonly exists: Exists;
  /** The scanned folders; by default, the root. A known folder below them that the scan does not find was removed. */
  readonly within?: readonly string[];
}

interface ScanOutcome {
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  /** Number of changed books that a person had deleted. A scan does not restore them. */
  readonly stayDeleted: number;
  readonly missing: number;
  readonly problems: number;
}

const UNITS_PER_COMMIT = 16;
const BOOKS_PER_COMMIT = 64;

/**
 * Connects a scan to the database: supplies known files, applies units, and finally marks missing books and files.
 * Small units share a commit. A resumed scan skips committed units.
 */
export class ScanSession {
  readonly memory: ScanMemory;
  readonly receiver: Required<Pick<ScanReceiver, 'unit' | 'unchanged' | 'problem'>>;
  readonly #audiobooks: Audiobooks;
  readonly #options: ScanSessionOptions;
  readonly #seen = new Set<string>();
  /** Folders that could not be listed. Their books must not be marked missing. */
  readonly #unreadable: string[] = [];
  /** Whether the database had no files when the scan began. */
  #isEmpty: Promise<boolean> | undefined;
  #waiting: ScannedUnit[] = [];
  readonly #commits = new SerialQueue();
  #counts = { added: 0, changed: 0, unchanged: 0, stayDeleted: 0, missing: 0, problems: 0 };

  constructor(audiobooks: Audiobooks, options: ScanSessionOptions) {
    this.#audiobooks = audiobooks;
    this.#options = options;
    this.memory = {
      fingerprint: (unit) => this.#fingerprint(unit),
      file: (signature) => this.#file(signature),
    };
    this.receiver = {
      unit: (scanned) => this.#take(scanned),
      unchanged: (unit) => void this.#seen.add(unit),
      problem: ({ kind, path }) => void (kind === 'forbidden' && this.#unreadable.push(path)),
    };
  }

  /** Writes pending units. Commits run one by one, because concurrent ones would conflict. */
  flush(): Promise<void> {
    return this.#commits.run(() => this.#write());
  }

  async #write(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    if (waiting.length === 0) return;
    const { libraryId, exists } = this.#options;
    const outcomes = await this.#audiobooks.store.transact(async (tx) => {
      const applied: UnitOutcome[] = [];
      for (const scanned of waiting) {
        applied.push(await applyUnit(tx, { libraryId, scanned, exists, editor: this.#writer() }));
      }
      return applied;
    });
    failpoint('audiobooks.scan.applied');
    for (const outcome of outcomes.flatMap((unit) => unit.outcomes)) this.#counts[outcome] += 1;
    for (const unit of waiting) this.#counts.problems += unit.problems.length;
  }

  /** Call it after a complete scan. Every folder that the scan did not find counts as removed. */
  async finish(): Promise<ScanOutcome> {
    await this.flush();
    const { libraryId: library, within = [''], exists } = this.#options;
    for await (const unit of this.#audiobooks.store.scan(units, { library })) {
      const isSeen = this.#seen.has(unit.unit);
      if (!isBelow(unit.unit, within) || (isSeen ? unit.left === undefined : isBelow(unit.unit, this.#unreadable)))
        continue;
      const apply = isSeen ? applyLeftBooks : applyVanishedUnit;
      const missing = await this.#audiobooks.store.transact((tx) =>
        apply(tx, unit, { library, exists, editor: this.#writer() }),
      );
      failpoint('audiobooks.scan.vanished');
      this.#counts.missing += missing.length;
    }
    return this.outcome;
  }

  get outcome(): ScanOutcome {
    return { ...this.#counts };
  }

  async #take(scanned: ScannedUnit): Promise<void> {
    this.#seen.add(scanned.unit);
    this.#waiting.push(scanned);
    const books = this.#waiting.reduce((sum, unit) => sum + unit.books.length, 0);
    if (this.#waiting.length >= UNITS_PER_COMMIT || books >= BOOKS_PER_COMMIT) await this.flush();
  }

  async #fingerprint(unit: string): Promise<string | undefined> {
    const known = await this.#audiobooks.store.get(units, { library: this.#options.libraryId, unit });
    return known === undefined || known.fingerprint === '' ? undefined : known.fingerprint;
  }

  async #file(signature: {
    device: string;
    inode: string;
    size: number;
    mtimeNs: string;
  }): Promise<ScannedFile | undefined> {
    const { store } = this.#audiobooks;
    const { device, inode } = signature;
    // During the first scan no file is known, so looking each one up is unnecessary.
    this.#isEmpty ??= store.list(segments, {}, { limit: 1 }).then((found) => found.length === 0);
    if (await this.#isEmpty) return undefined;
    const known = await store.list(segments.by.inode, { device, inode }, { limit: 4 });
    const same = known.find(
      (segment) => segment.size_bytes === signature.size && segment.mtime_ns === signature.mtimeNs,
    );
    return same === undefined ? undefined : scannedFileOf(same, await store.get(fileFacts, { segment: same.id }));
  }

  #writer() {
    return { ...stampFor(this.#audiobooks), by: this.#options.by, operationId: this.#options.operationId };
  }
}

function isBelow(unit: string, folders: readonly string[]): boolean {
  return folders.some((folder) => folder === '' || unit === folder || unit.startsWith(`${folder}/`));
}
