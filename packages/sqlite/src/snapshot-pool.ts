import { Connection, type ConnectionSettings } from './connection.ts';
import { currentRevision } from './journal/journal.ts';

/**
 * Consistent views of earlier states.
 *
 * A snapshot is a read transaction on its own connection. Readers of the same revision share one, so the number of
 * connections depends on the number of revisions in use, not on the number of readers.
 */

export interface Snapshot {
  readonly revision: number;
  readonly connection: Connection;
  release(): void;
}

interface Pinned {
  readonly connection: Connection;
  readonly revision: number;
  users: number;
}

const IDLE_MAX = 4;

export class SnapshotPool {
  readonly #path: string;
  readonly #settings: ConnectionSettings;
  readonly #current: () => number;
  readonly #idle: Connection[] = [];
  readonly #pinned = new Set<Pinned>();
  #newest: Pinned | undefined;

  constructor(path: string, settings: ConnectionSettings, current: () => number) {
    this.#path = path;
    this.#settings = settings;
    this.#current = current;
  }

  acquire(): Snapshot {
    const newest = this.#newest;
    const pinned = newest !== undefined && newest.revision === this.#current() ? newest : this.#pin();
    pinned.users += 1;
    let released = false;
    return {
      revision: pinned.revision,
      connection: pinned.connection,
      release: () => {
        if (released) return;
        released = true;
        this.#release(pinned);
      },
    };
  }

  close(): void {
    for (const { connection } of this.#pinned) connection.close();
    for (const connection of this.#idle) connection.close();
    this.#pinned.clear();
    this.#idle.length = 0;
    this.#newest = undefined;
  }

  #pin(): Pinned {
    const connection = this.#idle.pop() ?? new Connection(this.#path, this.#settings);
    const pinned = { connection, revision: beginRead(connection), users: 0 };
    this.#pinned.add(pinned);
    this.#newest = pinned;
    return pinned;
  }

  #release(pinned: Pinned): void {
    pinned.users -= 1;
    if (pinned.users > 0 || !pinned.connection.isOpen) return;
    this.#pinned.delete(pinned);
    if (this.#newest === pinned) this.#newest = undefined;
    if (this.#idle.length < IDLE_MAX && endsRead(pinned.connection)) this.#idle.push(pinned.connection);
    else pinned.connection.close();
  }
}

/** In SQLite, the first read of a transaction fixes the revision that it sees. */
function beginRead(connection: Connection): number {
  try {
    connection.exec('BEGIN');
    return currentRevision(connection);
  } catch (error) {
    connection.close();
    throw error;
  }
}

/**
 * Ends the read transaction; returns false if the file is damaged. The reader has already received that error, so
 * releasing the snapshot does not throw it again.
 */
function endsRead(connection: Connection): boolean {
  try {
    connection.prepare('COMMIT').run();
    return true;
  } catch {
    return false;
  }
}
