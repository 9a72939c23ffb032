import { delay, Limiter, SECOND } from '@holdfast/base';
import type { JetStreamClient, JetStreamManager, JsMsg, StoredMsg } from '@nats-io/jetstream';
import { headers, type NatsConnection } from '@nats-io/transport-node';
import { utaskErrors } from '../../model/errors.ts';
import type { Bucket, Entry, KeyValue } from '../../store/bucket.ts';
import { PATIENCE_MS } from './connection.ts';
import { collect, follow, keyAndValue, OPERATION, toEntry } from './consume.ts';

export interface NatsBucketParts {
  readonly name: string;
  readonly connection: NatsConnection;
  readonly js: JetStreamClient;
  readonly jsm: JetStreamManager;
  readonly where: string;
  readonly patienceMs?: number | undefined;
  /** True if several servers store the bucket, so that one of them may be behind the leader. */
  readonly isReplicated: boolean;
}

const REQUEST_TIMEOUT_MS: number = 2 * SECOND;
const RETRY_PAUSE_MS = 100;
const CONCURRENT_READS = 128;

/**
 * A JetStream KV bucket that every NATS client can use: the subject ends in the key, and a deletion is a message with a
 * header. This class does not use NATS' own KV client, because that client cannot delete a key that never existed, may
 * read from a stale replica, and retries a change whose outcome is unknown.
 */
export class NatsBucket implements Bucket {
  readonly name: string;
  readonly #parts: NatsBucketParts;
  readonly #stream: string;
  readonly #prefix: string;
  readonly #patienceMs: number;

  constructor(parts: NatsBucketParts) {
    this.name = parts.name;
    this.#parts = parts;
    this.#stream = `KV_${parts.name}`;
    this.#prefix = `$KV.${parts.name}.`;
    this.#patienceMs = parts.patienceMs ?? PATIENCE_MS;
  }

  /** Reads from the leader of the stream, because a change must not be based on a stale replica. */
  get(key: string): Promise<Entry | undefined> {
    return this.#patiently(() => this.#read(key));
  }

  async values(keys: readonly string[]): Promise<readonly (string | undefined)[]> {
    const limiter = new Limiter(CONCURRENT_READS);
    return Promise.all(keys.map((key) => limiter.run(async () => (await this.get(key))?.value)));
  }

  async scan(): Promise<readonly KeyValue[]> {
    const byKey = new Map<string, string>();
    await this.#patiently(async () => {
      byKey.clear();
      await this.#collectCurrent((message) => {
        const { key, value } = keyAndValue(this.#prefix, message);
        if (value === undefined) byKey.delete(key);
        else byKey.set(key, value);
      });
    });
    return [...byKey];
  }

  /**
   * Any replica may answer a request for a list, even a replica that lacks the latest changes. So this method compares
   * the list with the state of the leader.
   */
  async #collectCurrent(onMessage: (message: JsMsg) => void): Promise<void> {
    if (!this.#parts.isReplicated) return this.#collect('last', '>', onMessage);
    const { num_subjects: subjects = 0, last_seq: last } = (await this.#parts.jsm.streams.info(this.#stream)).state;
    let count = 0;
    let highest = 0;
    await this.#collect('last', '>', (message) => {
      count += 1;
      highest = Math.max(highest, message.seq);
      onMessage(message);
    });
    // The list is behind if it lacks a key or the last change. A purged change cannot be in the list.
    const isBehind = count < subjects || (highest < last && (await this.#has(last)));
    if (isBehind) throw new ReplicaBehind();
  }

  async #has(sequence: number): Promise<boolean> {
    try {
      return (await this.#parts.jsm.streams.getMessage(this.#stream, { seq: sequence })) !== null;
    } catch (error) {
      if (isNoMessage(error)) return false;
      throw error;
    }
  }

  /** Filters by prefix on the client, because the server matches only whole tokens of a subject. */
  keys(beginning: string): Promise<readonly string[]> {
    return this.#patiently(async () => {
      const filter = beginning.endsWith('.') ? `${this.#prefix}${beginning}>` : `${this.#prefix}>`;
      const info = await this.#parts.jsm.streams.info(this.#stream, { subjects_filter: filter });
      const keys = Object.keys(info.state.subjects ?? {}).map((subject) => subject.slice(this.#prefix.length));
      return keys.filter((key) => key.startsWith(beginning));
    });
  }

  async replace(key: string, value: string | undefined, expected: number): Promise<number | undefined> {
    const deadline = Date.now() + this.#patienceMs;
    let mayHaveArrived = false;
    for (;;) {
      const began = Date.now();
      try {
        if (mayHaveArrived) {
          const found = await this.#findOut(key, value, expected);
          if (found !== 'unchanged') return found;
        }
        return await this.#publish(key, value, expected);
      } catch (error) {
        if (isConflict(error)) {
          // Our own earlier attempt may have succeeded and caused this conflict.
          return mayHaveArrived ? this.#patiently(() => this.#settled(key, value, expected)) : undefined;
        }
        if (!isTransient(error)) throw toUtaskError(error, this.#parts.where);
        mayHaveArrived ||= !hasNoJetStream(error);
        if (this.#isOver(began, deadline)) throw this.#lost(error, mayHaveArrived);
        await delay(RETRY_PAUSE_MS);
      }
    }
  }

  history(key: string): Promise<readonly Entry[]> {
    return this.#patiently(() => this.#readHistory(key));
  }

  async purge(olderThanMs: number): Promise<number> {
    const limit = Date.now() - olderThanMs;
    const markers: Entry[] = [];
    await this.#patiently(async () => {
      markers.length = 0;
      await this.#collect('last', '>', (message) => {
        const entry = toEntry(this.#prefix, message);
        if (entry.value === undefined && entry.at < limit) markers.push(entry);
      });
    });
    for (const { key, revision } of markers) {
      // Purge up to the marker only: the key may have been written again.
      const marker = { filter: this.#prefix + key, seq: revision + 1 };
      await this.#patiently(() => this.#parts.jsm.streams.purge(this.#stream, marker));
    }
    return markers.length;
  }

  watch(signal: AbortSignal): Promise<AsyncIterable<Entry>> {
    return this.#patiently(() => follow(this.#consumerParts('new', '>'), signal));
  }

  #consumerParts(deliver: 'last' | 'all' | 'new', key: string) {
    return { js: this.#parts.js, stream: this.#stream, prefix: this.#prefix, deliver, key };
  }

  #collect(deliver: 'last' | 'all', key: string, onMessage: (message: JsMsg) => void): Promise<void> {
    return collect(this.#consumerParts(deliver, key), this.#patienceMs, onMessage);
  }

  async #read(key: string): Promise<Entry | undefined> {
    try {
      const message = await this.#parts.jsm.streams.getMessage(this.#stream, { last_by_subj: this.#prefix + key });
      return message === null ? undefined : storedEntry(key, message);
    } catch (error) {
      if (isNoMessage(error)) return undefined;
      throw error;
    }
  }

  async #readHistory(key: string): Promise<readonly Entry[]> {
    const entries: Entry[] = [];
    await this.#collect('all', key, (message) => {
      entries.push(toEntry(this.#prefix, message));
    });
    if (this.#parts.isReplicated) {
      const current = await this.#read(key);
      if ((current?.revision ?? 0) > (entries.at(-1)?.revision ?? 0)) throw new ReplicaBehind();
    }
    return entries;
  }

  async #publish(key: string, value: string | undefined, expected: number): Promise<number> {
    const marks = value === undefined ? { headers: deletion() } : {};
    const ack = await this.#parts.js.publish(this.#prefix + key, value ?? '', {
      ...marks,
      expect: { lastSubjectSequence: expected },
      timeout: REQUEST_TIMEOUT_MS,
    });
    return ack.seq;
  }

  async #settled(key: string, value: string | undefined, expected: number): Promise<number | undefined> {
    const found = await this.#findOut(key, value, expected);
    return found === 'unchanged' ? undefined : found;
  }

  /**
   * Determines the outcome of a change whose answer was lost: its revision, undefined on a conflict, or `unchanged`
   * if it was not made.
   */
  async #findOut(key: string, value: string | undefined, expected: number): Promise<number | undefined | 'unchanged'> {
    const entry = await this.#read(key);
    if ((entry?.revision ?? 0) === expected) return 'unchanged';
    // Only the first change after the expected revision can be ours, because ours required that revision.
    const first = (await this.#readHistory(key)).find(({ revision }) => revision > expected);
    return first !== undefined && first.value === value ? first.revision : undefined;
  }

  #lost(error: unknown, mayHaveArrived: boolean): Error {
    if (!mayHaveArrived) return toUtaskError(error, this.#parts.where);
    return utaskErrors.OUTCOME_UNKNOWN(`The connection to ${this.#parts.where} was lost during a change.`, {
      cause: error,
    });
  }

  /** Retries reads until the server is back or the time limit is reached. */
  async #patiently<T>(read: () => Promise<T>): Promise<T> {
    const deadline = Date.now() + this.#patienceMs;
    for (;;) {
      const began = Date.now();
      try {
        return await read();
      } catch (error) {
        if (!isTransient(error) || this.#isOver(began, deadline)) throw toUtaskError(error, this.#parts.where);
        await delay(RETRY_PAUSE_MS);
      }
    }
  }

  /** Returns whether another attempt would exceed the time limit if it took as long as the last one. */
  #isOver(began: number, deadline: number): boolean {
    return 2 * Date.now() - began > deadline || this.#parts.connection.isClosed();
  }
}

function storedEntry(key: string, message: StoredMsg): Entry {
  const isDeletion = message.data.length === 0 && (message.header?.get(OPERATION) ?? '') !== '';
  const value = isDeletion ? undefined : Buffer.from(message.data).toString('utf8');
  return { key, value, revision: message.seq, at: message.time.getTime() };
}

function deletion(): ReturnType<typeof headers> {
  const marks = headers();
  marks.set(OPERATION, 'DEL');
  return marks;
}

class ReplicaBehind extends Error {
  override readonly name = 'ReplicaBehind';
}

const CONFLICT_CODES: ReadonlySet<unknown> = new Set([10_071, 10_164]);
const STREAM_NOT_FOUND = 10_059;
const NO_MESSAGE_FOUND = 10_037;
/** "JetStream system temporarily unavailable" and "stream is offline": the cluster is electing a leader. */
const ELECTION_CODES: ReadonlySet<unknown> = new Set([10_008, 10_118]);
/** Errors after which the request may have arrived although its answer was lost. */
const LOST_NAMES: ReadonlySet<string> = new Set([
  'TimeoutError',
  'RequestError',
  'ConnectionError',
  'ClosedConnectionError',
  'DrainingConnectionError',
  'ReplicaBehind',
]);
const NO_JETSTREAM_NAMES: ReadonlySet<string> = new Set(['NoRespondersError', 'JetStreamNotEnabled']);

function isConflict(error: unknown): boolean {
  return CONFLICT_CODES.has(codeOf(error));
}

export function isStreamMissing(error: unknown): boolean {
  return codeOf(error) === STREAM_NOT_FOUND || nameOf(error) === 'StreamNotFoundError';
}

function isNoMessage(error: unknown): boolean {
  return codeOf(error) === NO_MESSAGE_FOUND;
}

/** Returns whether a retry may help: the connection failed, the answer was lost, or JetStream is not running yet. */
export function isTransient(error: unknown): boolean {
  return LOST_NAMES.has(nameOf(error)) || ELECTION_CODES.has(codeOf(error)) || hasNoJetStream(error);
}

/**
 * Returns whether the server runs without JetStream, for example because it is just starting. Such a server has changed
 * nothing.
 */
function hasNoJetStream(error: unknown): boolean {
  return NO_JETSTREAM_NAMES.has(nameOf(error)) || NO_JETSTREAM_NAMES.has(nameOf(causeOf(error)));
}

export function toUtaskError(error: unknown, where: string): Error {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof ReplicaBehind) return utaskErrors.REPLICA_BEHIND(`A server of ${where} is behind the leader.`);
  if (hasNoJetStream(error)) return utaskErrors.NATS_REFUSED(`JetStream is not enabled on ${where}.`, { cause: error });
  if (isTransient(error)) return utaskErrors.NATS_UNREACHABLE(`${where} does not answer: ${message}`, { cause: error });
  return utaskErrors.NATS_REFUSED(`${where}: ${message}`, { cause: error });
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : '';
}

function codeOf(error: unknown): unknown {
  return (error as { readonly code?: unknown } | undefined)?.code;
}

function causeOf(error: unknown): unknown {
  return (error as { readonly cause?: unknown } | undefined)?.cause;
}
