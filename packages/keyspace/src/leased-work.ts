import { randomUUID } from 'node:crypto';

import { HeldLease, type Renewal, SECOND } from '@holdfast/base';

import { keyspaceErrors } from './errors.ts';
import { Keyspace, type Transacted } from './keyspace.ts';
import { record, type RecordDefinition } from './schema/record-definitions.ts';
import type { StandardSchema } from './schema/standard-schema.ts';
import type { Transaction } from './transaction.ts';

interface StoredLease {
  /** Id of the process that works now; null between two runs. */
  readonly owner: string | null;
  /** Increases with each owner. */
  readonly fence: number;
  /** Increases with each heartbeat. */
  readonly beat: number;
}

const schema: StandardSchema<StoredLease> = {
  '~standard': {
    version: 1,
    vendor: 'holdfast',
    validate: (value) =>
      isStoredLease(value) ? { value } : { issues: [{ message: 'must have owner, fence and beat' }] },
  },
};

function isStoredLease(value: unknown): value is StoredLease {
  if (typeof value !== 'object' || value === null) return false;
  const { owner, fence, beat } = value as Partial<StoredLease>;
  return (owner === null || typeof owner === 'string') && Number.isSafeInteger(fence) && Number.isSafeInteger(beat);
}

/** Add this definition to the schema of each keyspace that has leased work. */
export const leases: RecordDefinition<'lease:{name}', StoredLease> = record('lease:{name}', schema);

const DURATION_MS: number = 60 * SECOND;

export interface LeasedWorkOptions {
  readonly keyspace: Keyspace;
  /** Processes that use the same name in the same keyspace take turns. */
  readonly name: string;
  readonly everyMs: number;
  /** Must write through the lease's keyspace, whose transactions fail with LEASE_LOST after a takeover. */
  readonly work: (lease: LeaseOfWork) => Promise<unknown>;
  readonly onError: (error: unknown) => void;
  /** Other processes take over after this time without a heartbeat. */
  readonly durationMs?: number;
}

interface LeaseOfWork {
  readonly keyspace: Keyspace;
  /** Aborted when the lease is lost. */
  readonly signal: AbortSignal;
}

/**
 * Periodic background work. Of all processes on all machines that use a keyspace, only one at a time does this work.
 * While that process lives, the others only read the lease. When it is gone, another process takes over.
 *
 * The clocks of different machines are never compared. A process may take the lease if the stored heartbeat has not
 * changed for `durationMs` on the process's own monotonic clock.
 */
export class LeasedWork {
  readonly #options: LeasedWorkOptions;
  readonly #durationMs: number;
  readonly #owner = randomUUID();
  readonly #timer: NodeJS.Timeout;
  #seen: { readonly lease: StoredLease | undefined; readonly at: number } | undefined;
  #running: Promise<unknown> | undefined;

  /** Calls `attempt` periodically, without keeping the process alive. */
  constructor(options: LeasedWorkOptions) {
    this.#options = options;
    this.#durationMs = options.durationMs ?? DURATION_MS;
    this.#timer = setInterval(() => {
      this.#running ??= this.attempt()
        .catch(options.onError)
        .finally(() => (this.#running = undefined));
    }, options.everyMs).unref();
  }

  /** Stops the timer and waits for running work. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  /**
   * Does the work, unless another process does it now or has done it since this process's last attempt. Returns true if
   * this process did the work.
   */
  async attempt(): Promise<boolean> {
    const asked = performance.now();
    const taken = await this.#take(asked);
    if (taken === undefined) return false;
    const lost = new AbortController();
    const renew = (): Promise<Renewal> => this.#renew(taken.fence);
    const held = new HeldLease({ durationMs: this.#durationMs, renew, onLost: () => lost.abort() }, asked);
    try {
      const keyspace = new FencedKeyspace(this.#options.keyspace, this.#options.name, taken.fence);
      await this.#options.work({ keyspace, signal: lost.signal });
      return true;
    } finally {
      held.stop();
      await this.#release(taken.fence);
    }
  }

  get #key(): { readonly name: string } {
    return { name: this.#options.name };
  }

  async #take(now: number): Promise<StoredLease | undefined> {
    const { keyspace } = this.#options;
    const found = await keyspace.get(leases, this.#key);
    const hasChanged = !isSame(found, this.#seen?.lease);
    if (hasChanged || this.#seen === undefined) this.#seen = { lease: found, at: now };
    if (hasChanged) return undefined;
    const isFree = (found?.owner ?? null) === null || now - this.#seen.at >= this.#durationMs;
    if (!isFree) return undefined;
    const next = { owner: this.#owner, fence: (found?.fence ?? 0) + 1, beat: 0 };
    return keyspace.transact(async (transaction) => {
      // Another process may have been faster.
      if (!isSame(await transaction.get(leases, this.#key), found)) return undefined;
      await transaction.put(leases, this.#key, next);
      return next;
    });
  }

  #renew(fence: number): Promise<Renewal> {
    return this.#options.keyspace.transact(async (transaction) => {
      const stored = await transaction.get(leases, this.#key);
      if (stored?.fence !== fence) return 'lost';
      await transaction.put(leases, this.#key, { ...stored, beat: stored.beat + 1 });
      return 'renewed';
    });
  }

  async #release(fence: number): Promise<void> {
    const { keyspace, onError } = this.#options;
    await keyspace
      .transact(async (transaction) => {
        const stored = await transaction.get(leases, this.#key);
        if (stored?.fence !== fence) return;
        const freed = { ...stored, owner: null };
        await transaction.put(leases, this.#key, freed);
        this.#seen = { lease: freed, at: performance.now() };
      })
      // If the release fails, the lease expires, because it gets no more heartbeats.
      .catch(onError);
  }
}

/** The same keyspace, but every transaction first checks that nobody has taken over the lease. */
class FencedKeyspace extends Keyspace {
  readonly #name: string;
  readonly #fence: number;

  constructor(keyspace: Keyspace, name: string, fence: number) {
    super(keyspace.engine, keyspace.schema);
    this.#name = name;
    this.#fence = fence;
  }

  override transactWithRevision<T>(body: (transaction: Transaction) => Promise<T>): Promise<Transacted<T>> {
    return super.transactWithRevision(async (transaction) => {
      const stored = await transaction.get(leases, { name: this.#name });
      if (stored?.fence === this.#fence) return body(transaction);
      throw keyspaceErrors.LEASE_LOST(`Another process took over the work "${this.#name}"`);
    });
  }
}

function isSame(left: StoredLease | undefined, right: StoredLease | undefined): boolean {
  return left?.owner === right?.owner && left?.fence === right?.fence && left?.beat === right?.beat;
}
