import { codeOf } from './errors.ts';
import type { Reader } from './reader.ts';
import { type Servers, Slot } from './servers.ts';

/**
 * Tells listeners that there may be new commits. Sends NOTIFY after a commit and never inside it, because NOTIFY would
 * hold a server-wide lock until the commit is on disk. A notification may be lost, so the revision is also polled once
 * per second. On servers without LISTEN, polling alone is enough.
 */

const POLL_MS = 1_000;

export class Signal {
  readonly #slot: Slot;
  readonly #channel: string;
  readonly #reader: Reader;
  readonly #servers: Servers;
  readonly #listeners = new Set<() => void>();
  #poll: NodeJS.Timeout | undefined;
  #isListening = false;
  #canListen = true;
  #lastSeen = -1;
  #isSending = false;
  #sendAgain = false;

  constructor(servers: Servers, space: number, reader: Reader) {
    this.#servers = servers;
    this.#slot = new Slot(servers, 'listens');
    this.#channel = `holdfast_${space}`;
    this.#reader = reader;
  }

  subscribe(listener: () => void): () => void {
    // A new function per call, so that a listener that subscribes twice is called twice.
    const entry = (): void => listener();
    this.#listeners.add(entry);
    if (this.#poll === undefined) {
      this.#poll = setInterval(() => void this.#check(), POLL_MS);
      this.#poll.unref();
      void this.#listen();
    }
    return () => {
      this.#listeners.delete(entry);
      if (this.#listeners.size > 0) return;
      clearInterval(this.#poll);
      this.#poll = undefined;
    };
  }

  /** Called after a commit of this process. */
  committedHere(): void {
    this.#wake();
    if (this.#isSending) this.#sendAgain = true;
    else void this.#send();
  }

  async close(): Promise<void> {
    clearInterval(this.#poll);
    this.#listeners.clear();
    await this.#slot.close();
  }

  #wake(): void {
    for (const listener of this.#listeners) listener();
  }

  async #check(): Promise<void> {
    void this.#listen();
    const head = await this.#reader.revision().catch(() => this.#lastSeen);
    if (head === this.#lastSeen) return;
    this.#lastSeen = head;
    this.#wake();
  }

  /** Called at every poll, so a lost connection is replaced within a second. */
  async #listen(): Promise<void> {
    if (this.#isListening || !this.#canListen || this.#servers.isClosed) return;
    this.#isListening = true;
    try {
      const session = await this.#slot.session();
      session.onNotification(() => this.#wake());
      await session.run(`LISTEN ${this.#channel}`, this.#servers.patience.answerMs);
      // This process got no notification of commits between its last poll and LISTEN.
      this.#wake();
      session.onEnd(() => {
        this.#isListening = false;
      });
    } catch (error) {
      this.#slot.drop();
      this.#isListening = false;
      if (/^(0A000|42601)$/.test(codeOf(error))) this.#canListen = false;
    }
  }

  async #send(): Promise<void> {
    this.#isSending = true;
    do {
      this.#sendAgain = false;
      // Watchers that miss this hint find the commit at their next poll.
      await this.#reader.rows('SELECT pg_notify($1, $2)', [this.#channel, '']).catch(() => undefined);
    } while (this.#sendAgain && !this.#servers.isClosed);
    this.#isSending = false;
  }
}
