import { KIBIBYTE, type StoredValue } from '@holdfast/base';
import type { CommitRequest } from '@holdfast/keyspace';

import { blindKeys, type KnownState, type Plan } from './batch.ts';

const ENTRIES_MAX = 4_096;
const LENGTH_MAX: number = 4 * KIBIBYTE;

interface Recent {
  readonly value: StoredValue | undefined;
  /** Revision of the batch that last changed the value; 0 if no remembered batch did. */
  readonly changedAt: number;
}

/**
 * The changes of this process's last batches. While no other process commits, they give the current values of counters,
 * and show which reads of a waiting transaction are still valid. The call that commits detects an outdated revision.
 */
export class RecentValues {
  readonly #entries = new Map<string, Recent>();
  #revision: number | undefined;
  /** All changes after this revision are known. */
  #since = 0;

  clear(): void {
    this.#entries.clear();
    this.#revision = undefined;
  }

  /** Returns the newest revision that this process has seen. */
  newestRevision(requests: readonly CommitRequest[]): number | undefined {
    let newest = this.#revision;
    for (const { base } of requests) if (base !== undefined && (newest === undefined || base > newest)) newest = base;
    return newest;
  }

  /** Adds everything that is known about the state at this revision. */
  fill(requests: readonly CommitRequest[], revision: number, state: KnownState): void {
    const isCurrent = revision === this.#revision;
    for (const request of requests) {
      if (request.base === revision) state.learn(request);
      else if (isCurrent && request.base !== undefined && request.base >= this.#since) {
        this.#fillReads(request.reads, request.base, state);
      }
      if (!isCurrent) continue;
      for (const key of blindKeys(request)) {
        const entry = this.#entries.get(key);
        if (entry !== undefined) state.values.set(key, entry.value);
      }
    }
  }

  #fillReads(reads: CommitRequest['reads'], base: number, state: KnownState): void {
    for (const [key, value] of reads) {
      const entry = this.#entries.get(key);
      state.values.set(key, entry !== undefined && entry.changedAt > base ? entry.value : value);
    }
  }

  /** Called after a batch on the state at revision `known`. */
  advance(known: number, state: KnownState, { finals, journal }: Plan): void {
    if (known !== this.#revision) {
      this.#entries.clear();
      this.#since = known;
    }
    this.#revision = known + journal.length;
    for (const [key, value] of state.values) {
      if (!finals.has(key) && !this.#entries.has(key)) this.#add(key, { value, changedAt: 0 });
    }
    for (const [key, value] of finals) this.#add(key, { value, changedAt: this.#revision });
    for (const [key, entry] of this.#entries) {
      if (this.#entries.size <= ENTRIES_MAX) break;
      this.#forget(key, entry);
    }
  }

  #add(key: string, entry: Recent): void {
    // Moves the key to the end, because the first keys are forgotten first.
    this.#entries.delete(key);
    if ((entry.value?.length ?? 0) <= LENGTH_MAX) this.#entries.set(key, entry);
    else this.#forget(key, entry);
  }

  #forget(key: string, { changedAt }: Recent): void {
    this.#entries.delete(key);
    this.#since = Math.max(this.#since, changedAt);
  }
}
