/**
 * All that utask asks of a place to keep things: keys with values, changed only by compare-and-set. This file and the
 * suite in test/bucket-conformance.ts are the whole contract; NATS JetStream and the keyspace fulfil it.
 *
 * A revision belongs to one key and only ever grows. Deleting is a change like any other: it leaves a marker with a
 * revision of its own, so that a writer who has not noticed the deletion fails.
 */
export interface Bucket {
  readonly name: string;

  /** The current state of a key, read where writes are decided. Undefined if there was never anything, or it was purged. */
  get(key: string): Promise<Entry | undefined>;
  /** The values of many keys, in their order, undefined where there is none. Not meant to base changes on. */
  values(keys: readonly string[]): Promise<readonly (string | undefined)[]>;
  /** Every key that has a value, with it, in no particular order. */
  scan(): Promise<readonly KeyValue[]>;
  /** The keys that begin like this, without their values. Deleted ones are among them until they are purged. */
  keys(beginning: string): Promise<readonly string[]>;

  /**
   * Changes a key whose revision is `expected`, 0 for one that is not there. Undefined as value deletes. Gives the new
   * revision, or undefined if somebody else was first. When the answer was lost, it finds out what happened.
   */
  replace(key: string, value: string | undefined, expected: number): Promise<number | undefined>;

  /** The states that are still kept, oldest first, the current one last. */
  history(key: string): Promise<readonly Entry[]>;
  /** Forgets deleted keys whose deletion is older than this, with their history. Gives their number. */
  purge(olderThanMs: number): Promise<number>;
  /** What changes from now on. Ready when the promise resolves: no later change is missed. */
  watch(signal: AbortSignal): Promise<AsyncIterable<Entry>>;
}

export interface Entry {
  readonly key: string;
  /** Undefined when the key was deleted. */
  readonly value: string | undefined;
  readonly revision: number;
  /** When it was written, by the clock of the store, in milliseconds. */
  readonly at: number;
}

export type KeyValue = readonly [key: string, value: string];

/** The two buckets of a task list, and what their store can do. */
export interface Buckets {
  readonly tasks: Bucket;
  readonly tags: Bucket;
  readonly facts: StoreFacts;
  close(options?: { readonly processIsEnding?: boolean }): Promise<void>;
}

export interface StoreFacts {
  readonly backend: 'embedded' | 'nats';
  /** For people, without credentials. */
  readonly where: string;
  /** What an acknowledged change survives. */
  readonly durability: string;
  /** What this store lacks and others of its kind have. */
  readonly lacks: readonly string[];
}
