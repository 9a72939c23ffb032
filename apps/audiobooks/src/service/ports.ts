import type { LogLevel } from '../model/operation.ts';
import type { CoverSource, FileSignature, ScannedFile } from '../model/scanned.ts';
import type { ScanMemory, ScanReceiver, ScanSummary } from '../scan/memory.ts';

/**
 * Where the catalogue (this folder: rules and the store) meets the engines (`scan/`, `organise/`, `merge/`: files).
 *
 * Engines know nothing of the database. They get what they need to know, do their work on files in steps that they note
 * in a `StepJournal` first, and hand back facts; the catalogue then changes everything in one transaction.
 */

/** The operation that an engine works for. */
export interface OperationContext {
  readonly operationId: string;
  readonly signal: AbortSignal;
  /** Cheap: written at most a few times a second. */
  readonly progress: (current: number, total: number, phase?: string) => void;
  /** Numbered in the order of the calls. */
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

/** Steps on files, on disk before they are taken. Each call returns when what it says survives a crash. */
export interface StepJournal {
  /** Notes steps that are about to be taken, all in one commit; returns their numbers, in order. */
  plan(steps: readonly Pick<Step, 'kind' | 'data'>[]): Promise<readonly number[]>;
  mark(seqs: readonly number[], state: StepState): Promise<void>;
  /** All steps of this operation, in order: what a restarted engine begins with. */
  steps(): Promise<readonly Step[]>;
}

/** A segment as the engines need it. `path` is relative to the root of the library. */
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

/** A book as templates, tags and file names see it. */
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
  /** Active ones, in the order they are played. */
  readonly files: readonly SegmentFile[];
  readonly cover: CoverSource | undefined;
}

// Scan

/** What `scan/` offers. A cancelled scan resolves with `isCancelled`; what it delivered stays. */
export interface ScanEngine {
  scan(request: {
    readonly root: string;
    /** Only these folders of the library; all of it when left out. */
    readonly folders?: readonly string[];
    readonly memory: ScanMemory;
    readonly receiver: ScanReceiver;
    readonly signal: AbortSignal;
  }): Promise<ScanSummary>;
}

// Organise

export interface PlannedMove {
  readonly bookId: string;
  /** Absent for what lies beside the sound: covers, cue sheets, texts. */
  readonly segmentId?: string;
  readonly from: string;
  readonly to: string;
}

/** A book that stays where it is: something is at the path that it needs. */
interface Refusal {
  readonly bookId: string;
  readonly title: string;
  readonly path: string;
  readonly reason: string;
}

export interface RenamePlan {
  readonly moves: readonly PlannedMove[];
  /** Books whose new folder differs, whether or not their files move within it. */
  readonly folders: readonly { readonly bookId: string; readonly folder: string }[];
  /** What stands in the way; a plan with any of these is refused as a whole or without the books they name. */
  readonly refusals: readonly Refusal[];
}

/** What a moved file is afterwards: the same file system keeps the inode, another does not. */
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
   * Moves the files of one book, step by step through the journal. The catalogue learns of it in `committed`, which the
   * engine awaits after the last file is in its new place and before anything that could not be taken back (empty
   * folders, copies across file systems).
   */
  move(request: {
    readonly root: string;
    readonly moves: readonly PlannedMove[];
    readonly context: OperationContext;
    readonly committed: (moved: readonly MovedFile[]) => Promise<void>;
  }): Promise<void>;
  /**
   * After a crash: looks at the journal and the files. `isCommitted` says whether the catalogue already has the new
   * paths; then the move is finished, else it is undone.
   */
  recover(request: {
    readonly root: string;
    readonly context: OperationContext;
    readonly isCommitted: (moves: readonly PlannedMove[]) => Promise<boolean>;
  }): Promise<'finished' | 'undone'>;
}

// Merge and transcode

/** Where each old segment begins in the new file, by the pipeline that was really used. */
interface SegmentOffset {
  readonly segmentId: string;
  readonly startMs: number;
  readonly durationMs: number;
}

/** A verified new file in its final place, not yet known to the catalogue. */
export interface EncodedFile {
  readonly file: ScannedFile;
  readonly offsets: readonly SegmentOffset[];
  /** Where the originals lie until their time is up; relative to the library. */
  readonly originals: readonly {
    readonly segmentId: string;
    readonly path: string;
    readonly signature: FileSignature;
  }[];
}

export interface MergeEngine {
  /** One m4b out of all files of the book. */
  merge(request: EncodeRequest): Promise<void>;
  /** Each file on its own into another format; one `EncodedFile` per file, with one offset each. */
  transcode(request: EncodeRequest & { readonly format: string }): Promise<void>;
  recover(request: {
    readonly root: string;
    readonly context: OperationContext;
    readonly isCommitted: () => Promise<boolean>;
  }): Promise<'finished' | 'undone'>;
  /** Puts the originals back to their places and the new files away; the catalogue switches back in `committed`. */
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
  /** The one transaction that switches segments, order, duration map and everyone's progress. */
  readonly switchSegments: (encoded: readonly EncodedFile[]) => Promise<void>;
}

// Tags

export interface TagEngine {
  /** Writes the book's fields into its files, each as a verified copy that replaces the original. */
  write(request: {
    readonly root: string;
    readonly book: BookFacts;
    readonly context: OperationContext;
    /** After each file: what it is now. */
    readonly written: (file: {
      readonly segmentId: string;
      readonly path: string;
      readonly signature: FileSignature;
    }) => Promise<void>;
  }): Promise<void>;
  recover(request: { readonly root: string; readonly context: OperationContext }): Promise<'finished' | 'undone'>;
}
