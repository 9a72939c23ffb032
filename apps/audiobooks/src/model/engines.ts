import type { Chapter, ChapterMark } from './chapters.ts';
import type { LogLevel } from './choices.ts';
import type { CoverSource, FileProblem, FileSignature, ScannedBook, ScannedFile } from './scanned.ts';

/**
 * Interfaces between the services, which use the database, and the engines in `scan/`, `organise/` and `merge/`, which
 * work on files.
 *
 * An engine never accesses the database. It receives the data it needs, records each file step in a `StepJournal`
 * before taking it, and passes its results to the service's callbacks, which commit them.
 */
export interface Engines {
  readonly scan: ScanEngine;
  readonly organise: OrganiseEngine;
  readonly merge: MergeEngine;
  readonly tags: TagEngine;
}

export interface OperationContext {
  readonly operationId: string;
  readonly signal: AbortSignal;
  /** May be called often: the progress is stored at most a few times a second. */
  readonly progress: (current: number, total: number, phase?: string) => void;
  /** Appends a line to the operation's log. Lines stay in the order of the calls. */
  readonly log: (level: LogLevel, message: string) => void;
  readonly journal: StepJournal;
}

export type StepState = 'planned' | 'done' | 'undone';

export interface Step {
  readonly seq: number;
  readonly kind: string;
  readonly state: StepState;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Records file steps before they are taken. Each call resolves when its effect is durable. */
export interface StepJournal {
  /** Records steps in one commit before they are taken. Returns their sequence numbers in order. */
  plan(steps: readonly Pick<Step, 'kind' | 'data'>[]): Promise<readonly number[]>;
  mark(seqs: readonly number[], state: StepState): Promise<void>;
  /** Returns all steps of this operation in order. Recovery starts from them. */
  steps(): Promise<readonly Step[]>;
}

/** An audio file of a book. `path` is relative to the library root. */
export interface SegmentFile extends FileSignature {
  readonly segmentId: string;
  readonly path: string;
  readonly format: string;
  readonly codec: string;
  readonly durationMs: number;
  readonly quickHash: string;
  readonly disc: number | undefined;
  readonly track: number | undefined;
}

/** Book metadata for templates, tags and file names. */
export interface BookFacts {
  readonly bookId: string;
  readonly generation: number;
  readonly folder: string;
  readonly title: string;
  readonly subtitle: string | undefined;
  readonly authors: readonly string[];
  readonly narrators: readonly string[];
  readonly series: readonly { readonly name: string; readonly sequence: string | undefined }[];
  readonly year: number | undefined;
  readonly publisher: string | undefined;
  readonly language: string | undefined;
  readonly isbn: string | undefined;
  readonly asin: string | undefined;
  readonly description: string | undefined;
  readonly genres: readonly string[];
  readonly edition: string | undefined;
  /** Active files, in playing order. */
  readonly files: readonly SegmentFile[];
  readonly cover: CoverSource | undefined;
  /** Edited chapters; empty if the chapters of the files are used. */
  readonly chapters: readonly ChapterMark[];
}

// Scan

/**
 * Results of the previous scan; without them, a scan reads every file.
 *
 * A unit is a folder with audio files, together with its disc folders. Its fingerprint covers the names and signatures
 * of all files that determine its books, so one comparison per folder shows whether anything changed.
 */
export interface ScanMemory {
  fingerprint(unit: string): string | undefined | Promise<string | undefined>;
  /** Finds a known file by signature, so that a moved file is not read again. */
  file(signature: FileSignature): ScannedFile | undefined | Promise<ScannedFile | undefined>;
}

/** One scanned unit. Each unit is committed as a whole, so that a scan can be resumed. */
export interface ScannedUnit {
  readonly unit: string;
  /** Undefined if a file is still changing or could not be opened. Then the next scan reads the unit again. */
  readonly fingerprint: string | undefined;
  readonly books: readonly ScannedBook[];
  readonly problems: readonly FileProblem[];
}

interface ScanProgress {
  readonly files: number;
  /** Number of files found so far; final once `isWalked` is true. */
  readonly total: number;
  readonly isWalked: boolean;
}

export interface ScanSummary {
  readonly units: number;
  readonly unchangedUnits: number;
  readonly files: number;
  readonly readFiles: number;
  readonly books: number;
  readonly problems: number;
  readonly isCancelled: boolean;
}

export interface ScanReceiver {
  /**
   * Takes the result of a unit. The scan awaits this call, so a slow store slows the scan down instead of filling
   * memory.
   */
  unit(scanned: ScannedUnit): Promise<void>;
  unchanged(unit: string): void | Promise<void>;
  /** Reports a problem outside any unit: an unreadable folder, or a link that leads out of the library. */
  problem?(problem: FileProblem): void | Promise<void>;
  progress?(progress: ScanProgress): void;
}

/** A cancelled scan resolves with `isCancelled`. Units that the receiver already has stay stored. */
export interface ScanEngine {
  scan(request: {
    readonly root: string;
    /** Folders to scan; without them, the whole library is scanned. */
    readonly folders?: readonly string[];
    readonly memory: ScanMemory;
    readonly receiver: ScanReceiver;
    readonly signal: AbortSignal;
  }): Promise<ScanSummary>;
}

// Organise

export interface PlannedMove {
  readonly bookId: string;
  /** Undefined for sidecars: covers, cue sheets and texts. */
  readonly segmentId?: string;
  readonly from: string;
  readonly to: string;
}

/** A book that cannot be moved because its target path is taken. */
interface Refusal {
  readonly bookId: string;
  readonly title: string;
  readonly path: string;
  readonly reason: string;
}

export interface RenamePlan {
  readonly moves: readonly PlannedMove[];
  /** New folder of each book whose folder changes. */
  readonly folders: readonly { readonly bookId: string; readonly folder: string }[];
  readonly refusals: readonly Refusal[];
}

/** A file after its move. Its inode stays the same only if it stays on the same file system. */
export interface MovedFile extends PlannedMove {
  readonly signature: FileSignature;
}

export interface OrganiseEngine {
  plan(request: {
    readonly root: string;
    readonly template: string;
    readonly books: AsyncIterable<BookFacts> | Iterable<BookFacts>;
  }): Promise<RenamePlan>;
  /**
   * Moves the files of one book and journals each step. After the last move, awaits `committed`, which stores the new
   * paths. Then takes the irreversible steps: removes empty folders and the originals of copied files.
   */
  move(request: {
    readonly root: string;
    readonly moves: readonly PlannedMove[];
    readonly context: OperationContext;
    readonly committed: (moved: readonly MovedFile[]) => Promise<void>;
  }): Promise<void>;
  /** After a crash: finishes the move if `isCommitted` (the database has the new paths); otherwise undoes it. */
  recover(request: {
    readonly root: string;
    readonly context: OperationContext;
    readonly isCommitted: (moves: readonly PlannedMove[]) => Promise<boolean>;
  }): Promise<'finished' | 'undone'>;
}

// Merge and transcode

/** Position of an old segment in the new file, as measured by the encoder. */
interface SegmentOffset {
  readonly segmentId: string;
  readonly startMs: number;
  readonly durationMs: number;
}

/** A verified new file at its final path, not yet in the database. */
export interface EncodedFile {
  readonly file: ScannedFile;
  readonly offsets: readonly SegmentOffset[];
  /** Paths of the originals until the undo period ends, relative to the library root. */
  readonly originals: readonly {
    readonly segmentId: string;
    readonly path: string;
    readonly signature: FileSignature;
  }[];
}

export interface MergeEngine {
  /** Joins all files of the book into one m4b. */
  merge(request: EncodeRequest): Promise<void>;
  /** Encodes each file in another format. For each file, creates one `EncodedFile` with one offset. */
  transcode(request: EncodeRequest & { readonly format: string }): Promise<void>;
  recover(request: {
    readonly root: string;
    readonly context: OperationContext;
    readonly isCommitted: () => Promise<boolean>;
  }): Promise<'finished' | 'undone'>;
  /** Restores the originals and removes the new files. Calls `committed`, which switches the database back. */
  undo(request: {
    readonly root: string;
    readonly context: OperationContext;
    readonly restore: readonly { readonly segmentId: string; readonly from: string; readonly to: string }[];
    readonly remove: readonly string[];
    readonly committed: (restored: readonly MovedFile[]) => Promise<void>;
  }): Promise<void>;
}

export interface EncodeRequest {
  readonly root: string;
  readonly book: BookFacts;
  readonly bitrateKbps?: number;
  readonly context: OperationContext;
  /** Switches segments, order, durations and all listeners' positions in one transaction. */
  readonly switchSegments: (encoded: readonly EncodedFile[]) => Promise<void>;
}

// Tags

export interface TagChange {
  readonly path: string;
  readonly field: string;
  readonly from: string;
  readonly to: string;
}

/** A file whose tags were written or restored. */
export interface RetaggedFile {
  readonly segmentId: string;
  readonly file: ScannedFile;
  /** The chapters that the file has now; undefined if they did not change. */
  readonly chapters?: readonly Chapter[] | undefined;
}

export interface TagEngine {
  preview(request: { readonly root: string; readonly book: BookFacts }): Promise<readonly TagChange[]>;
  /**
   * Writes the book's metadata into all of its files or none. After all files are in place, calls `committed`, which
   * stores the new signatures. If no file has to change, does not call `committed`. After a crash, use
   * `MergeEngine.recover`.
   */
  write(request: {
    readonly root: string;
    readonly book: BookFacts;
    readonly context: OperationContext;
    /** `kept` is the path of the original until the undo period ends. */
    readonly committed: (files: readonly (RetaggedFile & { readonly kept: string })[]) => Promise<void>;
  }): Promise<void>;
  /** Restores the originals. Fails if a file has changed since the tags were written. */
  undo(request: {
    readonly root: string;
    readonly context: OperationContext;
    readonly files: readonly {
      readonly segmentId: string;
      readonly path: string;
      readonly kept: string;
      readonly written: FileSignature;
    }[];
    readonly committed: (files: readonly RetaggedFile[]) => Promise<void>;
  }): Promise<void>;
}
