import { type Clock, systemClock } from '@holdfast/base';
import type { IdempotencyStore, ReplyId, StoredReply } from './store.ts';

const ENTRIES_MAX = 10_000;

/** Reference implementation: forgets with the process, and drops the oldest entry when full. */
export class MemoryIdempotencyStore implements IdempotencyStore {
  readonly #entries = new Map<string, { readonly reply: StoredReply; readonly expiresAt: number }>();
  readonly #now: () => number;
  readonly #entriesMax: number;

  constructor(now: Clock = systemClock, entriesMax: number = ENTRIES_MAX) {
    this.#now = now;
    this.#entriesMax = entriesMax;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(id: ReplyId): StoredReply | undefined {
    const key = nameOf(id);
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.expiresAt > this.#now()) return entry.reply;
    this.#entries.delete(key);
    return undefined;
  }

  put(id: ReplyId, reply: StoredReply, expiresAt: number): void {
    const key = nameOf(id);
    this.#entries.delete(key);
    this.#entries.set(key, { reply, expiresAt });
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#entriesMax) return;
      this.#entries.delete(oldest);
    }
  }
}

/** The hash has no spaces. */
function nameOf({ userId, keyHash }: ReplyId): string {
  return `${keyHash} ${userId}`;
}
