import type { Address } from './address.ts';
import { Listener } from './listener.ts';
import { type Patience, Servers, Slot } from './servers.ts';

const READS = 2;

/**
 * Connections that all keyspaces of this process in one database share: two for reads, and one for notifications. Each
 * keyspace commits through a connection of its own, because a commit may wait for a lock.
 */
export class SharedConnections {
  static readonly #all = new Map<string, SharedConnections>();
  readonly #name: string;
  readonly #servers: Servers;
  readonly reads: readonly Slot[];
  readonly listener: Listener;
  #users = 0;

  private constructor(name: string, address: Address, patience: Patience) {
    this.#name = name;
    this.#servers = new Servers(address, patience);
    this.reads = Array.from({ length: READS }, () => new Slot(this.#servers, 'reads'));
    this.listener = new Listener(this.#servers, this.reads);
  }

  static use(address: Address, patience: Patience): { readonly servers: Servers; readonly shared: SharedConnections } {
    const name = JSON.stringify([address, patience]);
    const shared = SharedConnections.#all.get(name) ?? new SharedConnections(name, address, patience);
    SharedConnections.#all.set(name, shared);
    shared.#users += 1;
    return { servers: new Servers(address, patience, shared.#servers), shared };
  }

  /** Closes the connections if no other keyspace uses them. */
  async leave(): Promise<void> {
    this.#users -= 1;
    if (this.#users > 0) return;
    SharedConnections.#all.delete(this.#name);
    this.#servers.close();
    await Promise.all([...this.reads.map((slot) => slot.close()), this.listener.close()]);
  }
}
