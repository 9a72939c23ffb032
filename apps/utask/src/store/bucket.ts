/**
 * The store that utask needs: keys with values, changed only by compare-and-set. This file and the tests in
 * test/bucket-conformance.ts define the contract; NATS JetStream and the keyspace implement it.
 *
 * A revision belongs to one key and only grows. A deletion is a change like any other: it leaves a marker with its own
 * revision, so that a writer that has not seen the deletion gets a conflict.
 */
export interface Bucket {
  readonly name: string;

  /** The current state of a key, never from a stale replica. Undefined if the key was never written, or was purged. */
  get(key: string): Promise<Entry | undefined>;
  /** The values of many keys, in the order of the keys. May be stale: do not base changes on them. */
  values(keys: readonly string[]): Promise<readonly (string | undefined)[]>;
  /** All keys with their values, in no particular order. */
  scan(): Promise<readonly KeyValue[]>;
  /** The keys with this prefix, including deleted ones until they are purged. */
  keys(beginning: string): Promise<readonly string[]>;

  /**
   * Changes a key if its revision is `expected`, which is 0 for a missing key. An undefined value deletes the key.
   * Returns the new revision, or undefined on a conflict. If the server's answer is lost, reads the key to find the
   * outcome.
   */
  replace(key: string, value: string | undefined, expected: number): Promise<number | undefined>;

  /** The kept states, oldest first, including the current one. */
  history(key: string): Promise<readonly Entry[]>;
  /** Removes keys that were deleted longer ago than this, with their history. Returns their number. */
  purge(olderThanMs: number): Promise<number>;
  /** Yields every change made after the promise has resolved. */
  watch(signal: AbortSignal): Promise<AsyncIterable<Entry>>;
}

export interface Entry {
  readonly key: string;
  /** Undefined when the key was deleted. */
  readonly value: string | undefined;
  readonly revision: number;
  /** Time at which the state was written, by the store's clock, in milliseconds. */
  readonly at: number;
}

export type KeyValue = readonly [key: string, value: string];

/** The two buckets of a task list. */
export interface Buckets {
  readonly tasks: Bucket;
  readonly tags: Bucket;
  readonly facts: StoreFacts;
  /** State of the replicas of each bucket; empty for a store without replicas. */
  replication(): Promise<readonly Replication[]>;
  close(options?: { readonly processIsEnding?: boolean }): Promise<void>;
}

export interface StoreFacts {
  readonly backend: 'embedded' | 'nats';
  /** Where the store is, as shown to the user, without credentials. */
  readonly where: string;
  /** Which failures an acknowledged change survives. */
  readonly durability: string;
  /** Features that this version of the store lacks and newer versions have. */
  readonly lacks: readonly string[];
}

/** Copies of a bucket on a NATS cluster. */
export interface Replication {
  readonly bucket: string;
  readonly replicas: number;
  /** Null if there is no cluster, or while the servers elect a leader. */
  readonly leader: string | null;
  readonly followers: readonly Follower[];
}

interface Follower {
  readonly name: string;
  readonly is_current: boolean;
  /** Number of changes that the follower lacks. */
  readonly lag: number;
}
