import { type Connection, type Database, openDatabase, type RowImage } from '@holdfast/sqlite';

import { migrations } from './schema/migrations.ts';

/** The connection inside a write, or for reads. Everything in `store/` takes one of these. */
export type Tx = Connection;

/** One open database of ringmaster. */
export interface Store {
  readonly path: string;
  /** For reads of the latest state. */
  readonly reader: Tx;
  readonly database: Database;
  /** One commit; `note` is what the journal and undo call it. */
  write<T>(note: string, body: (tx: Tx) => T): Promise<T>;
  /** The same for a short body that says which rows it changed: nothing needs to watch it. */
  writeDescribed<T>(note: string, body: (tx: Tx, describe: (rows: readonly RowImage[]) => void) => T): Promise<T>;
  close(): Promise<void>;
}

export interface StoreOptions {
  readonly path: string;
  readonly create?: boolean;
  readonly busyTimeoutMs?: number;
  readonly cacheMb?: number;
  readonly now?: () => number;
  /** A command that is about to end need not free the file itself. */
  readonly processIsEnding?: boolean;
}

const LOCK_WAIT_FACTOR = 6;

/** Many workers may wait for one lock. A claim can wait some milliseconds more, and those who work are left alone. */
const patience = { pauseMaxMs: 50, impatientAfterMs: 200 };

export async function openStore(options: StoreOptions): Promise<Store> {
  const database = await openDatabase({
    path: options.path,
    kind: 'tables',
    create: options.create ?? true,
    migrations,
    // The seed's busy timeout is for one try of SQLite's; ours waits fairly, so it may wait longer.
    lock: {
      ...patience,
      ...(options.busyTimeoutMs === undefined ? {} : { timeoutMs: options.busyTimeoutMs * LOCK_WAIT_FACTOR }),
    },
    ...(options.now === undefined ? {} : { now: options.now }),
  });
  if (options.cacheMb !== undefined) database.reader.exec(`PRAGMA cache_size = -${Math.round(options.cacheMb * 1000)}`);
  return {
    path: database.path,
    database,
    get reader() {
      return database.reader;
    },
    async write(note, body) {
      const { value } = await database.write((transaction) => {
        transaction.note(note);
        return body(transaction.connection);
      });
      return value;
    },
    async writeDescribed(note, body) {
      const { value } = await database.writeDescribed((transaction) => {
        transaction.note(note);
        return body(transaction.connection, (rows) => transaction.rows(rows));
      });
      return value;
    },
    close: () => database.close({ processIsEnding: options.processIsEnding ?? false }),
  };
}
