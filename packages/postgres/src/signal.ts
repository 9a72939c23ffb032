import { delay } from '@holdfast/base';

import type { Listener } from './listener.ts';
import type { Reader } from './reader.ts';
import type { Servers } from './servers.ts';

/** The hint itself need not be durable, so it waits for no disk and no standby. */
const NOTIFY = `SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, '')`;

const NOTIFY_PAUSE_MS = 3;

/**
 * Tells the listeners of one keyspace that there may be new commits. Sends NOTIFY after a commit and never inside it,
 * because NOTIFY would hold a server-wide lock until the commit is on disk.
 */
export class Signal {
  readonly #servers: Servers;
  readonly #listener: Listener;
  readonly #space: number;
  readonly #reader: Reader;
  readonly #callbacks = new Set<() => void>();
  #stopListening: (() => void) | undefined;
  #isSending = false;
  #sendAgain = false;

  constructor(servers: Servers, listener: Listener, space: number, reader: Reader) {
    this.#servers = servers;
    this.#listener = listener;
    this.#space = space;
    this.#reader = reader;
  }

  subscribe(callback: () => void): () => void {
    // A new function per call, so that a callback that subscribes twice is called twice.
    const entry = (): void => callback();
    this.#callbacks.add(entry);
    this.#stopListening ??= this.#listener.add(this.#space, () => this.#wake());
    return () => {
      this.#callbacks.delete(entry);
      if (this.#callbacks.size === 0) this.#stop();
    };
  }

  /** Called after a commit by this process. */
  committedHere(): void {
    this.#wake();
    if (this.#isSending) this.#sendAgain = true;
    else void this.#send();
  }

  async close(): Promise<void> {
    this.#callbacks.clear();
    this.#stop();
    if (this.#sendAgain) await this.#notify();
  }

  #stop(): void {
    this.#stopListening?.();
    this.#stopListening = undefined;
  }

  #wake(): void {
    for (const callback of this.#callbacks) callback();
  }

  /** Watchers that miss this hint find the commit at their next poll. */
  async #notify(): Promise<void> {
    await this.#reader.rows(NOTIFY, [this.#listener.channelOf(this.#space)]).catch(() => undefined);
  }

  async #send(): Promise<void> {
    this.#isSending = true;
    do {
      this.#sendAgain = false;
      await this.#notify();
      // Many commits in a row need only one hint.
      await delay(NOTIFY_PAUSE_MS, undefined, false);
    } while (this.#sendAgain && !this.#servers.isClosed);
    this.#isSending = false;
  }
}
