import type { StoredValue } from '@holdfast/base';

import type { KeyRange } from './keys/template.ts';
import type { CounterEncoding } from './schema/value-codec.ts';

/**
 * The contract between a keyspace and its store; the conformance suite tests it.
 *
 * An engine is ordered, transactional and numbered: every commit has a revision, one higher than the last, and the
 * engine reports what each recent commit changed. Calls may be asynchronous; an embedded engine may answer at once.
 * Keys are text, ordered by their UTF-8 bytes; values are text or bytes.
 */
export interface Engine {
  readonly capabilities: Capabilities;

  /** Reads of the latest committed state, each on its own. */
  get(key: string): Maybe<StoredValue | undefined>;
  /** One value per key, in the order of the keys, in one round trip. */
  getMany(keys: readonly string[]): Maybe<readonly (StoredValue | undefined)[]>;
  range(range: RangeRequest): Maybe<readonly Entry[]>;

  /** A consistent view of the state as it is now, at least as new as everything acknowledged so far. */
  snapshot(): Maybe<EngineSnapshot>;

  /**
   * Applies everything, or nothing. Resolves when the commit is durable, or says that something the request had read
   * has changed since.
   */
  commit(request: CommitRequest): Promise<CommitOutcome>;

  revision(): Maybe<number>;
  /** Commits after `since`, oldest first. Throws JOURNAL_TRIMMED when they are no longer kept. */
  changes(since: number, limit: number): Maybe<readonly EngineCommit[]>;
  /** Calls back soon after commits, by this process or any other. */
  onChange(listener: () => void): () => void;

  /** `processIsEnding`: the system is about to free everything, so nothing has to be waited for. */
  close(options?: { readonly processIsEnding?: boolean }): Promise<void>;
}

export type Maybe<T> = T | Promise<T>;

export interface Capabilities {
  /** Acknowledged commits survive a power cut. */
  readonly durable: boolean;
  /** Several processes can use the same store at once. */
  readonly multiProcess: boolean;
}

export type Entry = readonly [key: string, value: StoredValue];

export interface RangeRequest extends KeyRange {
  readonly limit: number;
  readonly reverse: boolean;
}

export interface EngineSnapshot {
  readonly revision: number;
  get(key: string): Maybe<StoredValue | undefined>;
  getMany(keys: readonly string[]): Maybe<readonly (StoredValue | undefined)[]>;
  range(range: RangeRequest): Maybe<readonly Entry[]>;
  release(): void;
}

export interface CommitRequest {
  /** The revision of the snapshot that the reads came from; undefined when nothing was read. */
  readonly base: number | undefined;
  readonly reads: ReadonlyMap<string, StoredValue | undefined>;
  readonly ranges: readonly RangeRead[];
  /** undefined deletes. */
  readonly writes: ReadonlyMap<string, StoredValue | undefined>;
  readonly appends: readonly Append[];
  readonly additions: readonly Addition[];
}

export interface RangeRead {
  readonly range: RangeRequest;
  readonly entries: readonly Entry[];
}

/** An entry of a log, whose number is only known at commit. */
export interface Append {
  readonly counterKey: string;
  readonly encoding: CounterEncoding;
  readonly counterHolds: 'last' | 'next';
  /** The keys and values to write under that number: the entry itself and its index entries. */
  readonly build: (sequence: number) => readonly Entry[];
}

export interface Addition {
  readonly key: string;
  readonly encoding: CounterEncoding;
  readonly amount: number;
}

export type CommitOutcome = { readonly conflict: false; readonly revision: number } | { readonly conflict: true };

export interface EngineChange {
  readonly key: string;
  readonly before: StoredValue | undefined;
  readonly after: StoredValue | undefined;
}

export interface EngineCommit {
  readonly revision: number;
  readonly at: number;
  readonly note: string | undefined;
  /** The database was replaced: read everything again. */
  readonly reset: boolean;
  readonly changes: readonly EngineChange[];
}
