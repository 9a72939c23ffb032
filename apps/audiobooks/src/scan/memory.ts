import type { FileProblem, FileSignature, ScannedBook, ScannedFile } from '../model/scanned.ts';

/**
 * What a scan remembers from the last one. The store provides it; a scan without memory reads everything.
 *
 * A unit is a folder with sound in it, together with its disc folders. Its fingerprint covers the names and signatures
 * of all files that decide about its books, so one comparison per folder tells whether anything has to be done.
 */
export interface ScanMemory {
  fingerprint(unit: string): string | undefined | Promise<string | undefined>;
  /** A file that was read before, found by what it is, so that a moved file is not read again. */
  file(signature: FileSignature): ScannedFile | undefined | Promise<ScannedFile | undefined>;
}

/** One unit has been scanned; written down as a whole, this is what makes a scan resumable. */
export interface ScannedUnit {
  readonly unit: string;
  /** Nothing when a file of it is still changing or could not be opened: the next scan has to look again. */
  readonly fingerprint: string | undefined;
  readonly books: readonly ScannedBook[];
  readonly problems: readonly FileProblem[];
}

interface ScanProgress {
  readonly files: number;
  /** How many the walk has found so far; final once `isWalked`. */
  readonly total: number;
  readonly isWalked: boolean;
}

/** What came of a scan; `units` are all that are there now, so that whatever else is stored has gone. */
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
  /** Awaited, so that a slow store slows the scan down instead of filling the memory. */
  unit(scanned: ScannedUnit): Promise<void>;
  unchanged(unit: string): void | Promise<void>;
  /** What is wrong outside of any unit: a folder that cannot be read, a link that leads out of the library. */
  problem?(problem: FileProblem): void | Promise<void>;
  progress?(progress: ScanProgress): void;
}
