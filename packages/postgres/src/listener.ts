import { codeOf } from './errors.ts';
import { type Servers, Slot } from './servers.ts';
import type { Session } from './session.ts';

/**
 * Receives the notifications for all spaces that this process uses in a database, through one connection. A
 * notification may be lost, so the revisions are also polled once per second. On servers without LISTEN, polling alone
 * is enough.
 */

const POLL_MS = 1_000;

const REVISIONS = 'SELECT id, revision::float8 FROM holdfast_space WHERE id = ANY ($1::int[])';

interface Watched {
  readonly callbacks: Set<() => void>;
  lastSeen: number;
  /** The connection that has this space's notifications. */
  session: Session | undefined;
}

export class Listener {
  readonly #servers: Servers;
  readonly #slot: Slot;
  readonly #reads: readonly Slot[];
  readonly #spaces = new Map<number, Watched>();
  readonly #known = new WeakSet<Session>();
  #poll: NodeJS.Timeout | undefined;
  #polls = 0;
  #isListening = false;
  #canListen = true;

  constructor(servers: Servers, reads: readonly Slot[]) {
    this.#servers = servers;
    this.#slot = new Slot(servers, 'listens');
    this.#reads = reads;
  }

  channelOf(space: number): string {
    return `holdfast_${space}`;
  }

  /** Calls `callback` soon after commits to a space; returns a function that ends this. */
  add(space: number, callback: () => void): () => void {
    const watched = this.#spaces.get(space) ?? { callbacks: new Set(), lastSeen: -1, session: undefined };
    this.#spaces.set(space, watched);
    watched.callbacks.add(callback);
    if (this.#poll === undefined) {
      this.#poll = setInterval(() => void this.#check(), POLL_MS);
      this.#poll.unref();
    }
    void this.#listen();
    return () => {
      watched.callbacks.delete(callback);
      if (watched.callbacks.size > 0) return;
      this.#spaces.delete(space);
      if (this.#spaces.size > 0) return;
      clearInterval(this.#poll);
      this.#poll = undefined;
    };
  }

  close(): Promise<void> {
    clearInterval(this.#poll);
    return this.#slot.close();
  }

  async #check(): Promise<void> {
    void this.#listen();
    this.#polls += 1;
    // Takes turns, so that no connection is silent for long.
    const slot = this.#reads[this.#polls % this.#reads.length]!;
    const polled = slot.rows<[number, number]>(REVISIONS, [[...this.#spaces.keys()]]);
    const rows = await polled.catch((): [number, number][] => []);
    for (const [space, head] of rows) {
      const watched = this.#spaces.get(space);
      if (watched === undefined || watched.lastSeen === head) continue;
      watched.lastSeen = head;
      wake(watched);
    }
  }

  /** Called at every poll, so a lost connection is replaced within a second. */
  async #listen(): Promise<void> {
    if (this.#isListening || !this.#canListen || this.#servers.isClosed) return;
    this.#isListening = true;
    try {
      const session = await this.#slot.session();
      this.#receive(session);
      const added = [...this.#spaces].filter(([, watched]) => watched.session !== session);
      const statements = added.map(([space]) => `LISTEN ${this.channelOf(space)}`);
      if (added.length > 0) await session.run(statements.join('; '), this.#servers.patience.answerMs);
      for (const [, watched] of added) {
        watched.session = session;
        // This process got no notification of commits between its last poll and LISTEN.
        wake(watched);
      }
    } catch (error) {
      this.#slot.drop();
      if (/^(0A000|42601)$/.test(codeOf(error))) this.#canListen = false;
    } finally {
      this.#isListening = false;
    }
  }

  #receive(session: Session): void {
    if (this.#known.has(session)) return;
    this.#known.add(session);
    session.onNotification((channel) => {
      for (const [space, watched] of this.#spaces) if (this.channelOf(space) === channel) wake(watched);
    });
  }
}

function wake({ callbacks }: Watched): void {
  for (const callback of callbacks) callback();
}
