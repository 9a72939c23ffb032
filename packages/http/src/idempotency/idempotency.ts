import { createHash } from 'node:crypto';

import { type Clock, DAY, failpoint, systemClock } from '@holdfast/base';

import { httpErrors } from '../errors.ts';
import type { Rendered } from '../response/render.ts';

export interface StoredReply {
  /** Hash of method, URL and body; using the key for a different request is an error. */
  readonly fingerprint: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** Owner and hash of a key. The key itself is not stored, because it can be long and private. */
export interface ReplyId {
  readonly userId: string;
  readonly keyHash: string;
}

/**
 * Stores answers to requests with an Idempotency-Key. The store must not return an entry after `expiresAt`
 * (milliseconds), but may remove an entry at any time.
 */
export interface IdempotencyStore {
  get(id: ReplyId): Promise<StoredReply | undefined> | StoredReply | undefined;
  put(id: ReplyId, reply: StoredReply, expiresAt: number): Promise<void> | void;
}

interface IdempotentRequest {
  readonly userId: string;
  readonly key: string;
  readonly method: string;
  /** Path with query: the same body sent to another URL is a different request. */
  readonly target: string;
  readonly body: string;
}

const KEY = /^[\x21-\x7e]{1,255}$/;
const KEPT_MS = DAY;

export function idempotencyKeyOf(headers: Pick<Headers, 'get'>): string | undefined {
  const key = headers.get('idempotency-key');
  if (key === null) return undefined;
  if (!KEY.test(key))
    throw httpErrors.IDEMPOTENCY_KEY_INVALID('The Idempotency-Key must have 1 to 255 visible ASCII characters');
  return key;
}

/**
 * Runs a request once per key and repeats its answer afterwards.
 *
 * Stores only successes: after an error, the same key may try again. A duplicate waits for the running original. Keys
 * belong to a user, so nobody gets another user's answer. The answer is stored after the work, so the work runs again
 * if the server crashes in between. A service that must prevent this uses the key in its transaction
 * (`input.idempotencyKey`).
 */
export class Idempotency {
  readonly #store: IdempotencyStore;
  readonly #running = new Map<string, { readonly fingerprint: string; readonly done: Promise<unknown> }>();
  readonly #now: () => number;
  readonly #onError: (error: unknown) => void;

  constructor(store: IdempotencyStore, now: () => number, onError: (error: unknown) => void) {
    this.#store = store;
    this.#now = now;
    this.#onError = onError;
  }

  async run(request: IdempotentRequest, work: () => Promise<Rendered>): Promise<Rendered> {
    const id = { userId: request.userId, keyHash: digest(request.key) };
    const name = `${id.keyHash} ${id.userId}`;
    const fingerprint = digest(request.method, request.target, request.body);
    for (;;) {
      const running = this.#running.get(name);
      if (running === undefined) break;
      if (running.fingerprint !== fingerprint) throw reused();
      // Waits until the original ends. Ignores its error, which the caller of the original gets.
      await running.done.catch(() => undefined);
    }
    const done = this.#once(id, fingerprint, work);
    this.#running.set(name, { fingerprint, done });
    try {
      return await done;
    } finally {
      this.#running.delete(name);
    }
  }

  async #once(id: ReplyId, fingerprint: string, work: () => Promise<Rendered>): Promise<Rendered> {
    const stored = await this.#store.get(id);
    if (stored !== undefined) {
      if (stored.fingerprint !== fingerprint) throw reused();
      const { status, headers, body } = stored;
      return { status, headers: { ...headers, 'idempotency-replayed': 'true' }, body };
    }
    const { status, headers = {}, body, cookies } = await work();
    failpoint('http.idempotency.done');
    await this.#remember(id, { fingerprint, status, headers, body });
    return { status, headers, body, cookies };
  }

  /** Never throws: the request has succeeded, even if its answer cannot be stored. */
  async #remember(id: ReplyId, reply: StoredReply): Promise<void> {
    try {
      await this.#store.put(id, reply, this.#now() + KEPT_MS);
    } catch (error) {
      this.#onError(error);
    }
  }
}

function reused(): Error {
  return httpErrors.IDEMPOTENCY_KEY_REUSED('This Idempotency-Key was already used for a different request');
}

/** Hashes the length of each text too, so `['ab', 'c']` and `['a', 'bc']` differ. */
function digest(...parts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return hash.digest('base64url');
}

const ENTRIES_MAX = 10_000;

/** Reference implementation in memory: loses everything at exit and drops the oldest entry when full. */
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

/** The hash contains no space, so the two parts cannot be confused. */
function nameOf({ userId, keyHash }: ReplyId): string {
  return `${keyHash} ${userId}`;
}
