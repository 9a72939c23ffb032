import type { StoredValue } from '@holdfast/base';

import type { KeyRange } from './keys/template.ts';
import type { CounterEncoding } from './schema/value-codec.ts';

/**
 * The contract between a keyspace and its store, tested by the conformance suite. An engine is ordered and
 * transactional. It numbers its commits, so that each revision is one higher than the last, and reports what recent
 * commits changed. Calls may be asynchronous. Keys are text, ordered by UTF-8 bytes; values are text or bytes.
 */
export interface Engine {
  /** Reads the latest committed state. */
  get(key: string): Maybe<StoredValue | undefined>;
  /** Returns one value per key, in the order of the keys, in one round trip. */
  getMany(keys: readonly string[]): Maybe<readonly (StoredValue | undefined)[]>;
  range(range: RangeRequest): Maybe<readonly Entry[]>;

  /**
   * Returns a consistent view that includes everything acknowledged so far. Its revision may be determined only at the
   * first read.
   */
  snapshot(): Maybe<EngineSnapshot>;

  /**
   * Applies all writes or none. Resolves when they are durable; resolves with a conflict if a value that the
   * transaction read has changed.
   */
  commit(request: CommitRequest): Promise<CommitOutcome>;

  /**
   * Finds a commit that failed with STORE_IN_DOUBT, by the id in the error's details. Returns its revision, or
   * undefined if the commit was not made and never will be. Engines without a network never report STORE_IN_DOUBT.
   */
  findCommit?(id: string): Promise<number | undefined>;

  /**
   * Waits until this process is near the front of the queue of committing processes. The process keeps its place until
   * it calls the returned function. Used by a transaction that repeatedly conflicts with other writers.
   */
  turn?(arrivedAt: number): Promise<() => void>;

  revision(): Maybe<number>;
  /** Returns commits after `since`, oldest first. Throws JOURNAL_TRIMMED if they are no longer kept. */
  changes(since: number, limit: number): Maybe<readonly EngineCommit[]>;
  /**
   * Finds keys whose values changed without a journal entry, and writes back their last journalled values; returns
   * these keys.
   */
  restoreJournalled?(): Promise<readonly string[]>;
  /** Calls `listener` soon after a commit by any process; returns an unsubscribe function. */
  onChange(listener: () => void): () => void;

  /** With `processIsEnding` the operating system frees resources, so closing need not wait. */
  close(options?: { readonly processIsEnding?: boolean }): Promise<void>;
}

export type Maybe<T> = T | Promise<T>;

export type Entry = readonly [key: string, value: StoredValue];

export interface RangeRequest extends KeyRange {
  readonly limit: number;
  readonly reverse: boolean;
}

export interface EngineSnapshot {
  /** Needs no extra round trip after the first read. */
  revision(): Maybe<number>;
  get(key: string): Maybe<StoredValue | undefined>;
  getMany(keys: readonly string[]): Maybe<readonly (StoredValue | undefined)[]>;
  range(range: RangeRequest): Maybe<readonly Entry[]>;
  release(): void;
}

export interface CommitRequest {
  /** Revision of the snapshot that the transaction read; undefined if it read nothing. */
  readonly base: number | undefined;
  readonly reads: ReadonlyMap<string, StoredValue | undefined>;
  readonly ranges: readonly RangeRead[];
  /** An undefined value deletes the key. */
  readonly writes: ReadonlyMap<string, StoredValue | undefined>;
  /** Written keys that normally did not exist, such as index entries. An engine may look them up later or not at all. */
  readonly expectedNew?: ReadonlySet<string>;
  readonly appends: readonly Append[];
  readonly additions: readonly Addition[];
  /** Describes the commit in the journal. */
  readonly note?: string;
}

export interface RangeRead {
  readonly range: RangeRequest;
  readonly entries: readonly Entry[];
}

/** A log entry whose number is assigned at commit. */
export interface Append {
  readonly counterKey: string;
  readonly encoding: CounterEncoding;
  readonly counterHolds: 'last' | 'next';
  /**
   * Returns the log entry with this number, and its index entries. An engine may call it several times and uses only
   * the last result. The keys are normally new.
   */
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
  /** True if the changes are unknown, for example because the database was replaced: read everything again. */
  readonly reset: boolean;
  readonly changes: readonly EngineChange[];
}
