import { type Connection, type Database, openDatabase } from '@holdfast/sqlite';

import { migrations } from './schema.ts';

/** The connection inside a write, or for reads. Everything in `store/` takes one of these. */
export type Tx = Connection;

export interface Store {
  readonly path: string;
  /** For reads of the latest state. */
  readonly reader: Tx;
  readonly database: Database;
  /** One commit, shared with whatever else this process commits; `note` is what the journal calls it. */
  write<T>(note: string, body: (tx: Tx) => T): Promise<T>;
  /** For what can be made again from the rest; submitted together with `write`, it shares its commit. Not journalled. */
  derive<T>(body: (tx: Tx) => T): Promise<T>;
  /** Calls back after commits of any process. */
  onChange(listener: () => void): () => void;
  close(): Promise<void>;
}

export interface StoreOptions {
  readonly path: string;
  readonly create?: boolean;
  readonly now?: () => number;
  /** A command that is about to end need not free the file itself. */
  readonly processIsEnding?: boolean;
}

export async function openStore(options: StoreOptions): Promise<Store> {
  const database = await openDatabase({
    path: options.path,
    kind: 'tables',
    create: options.create ?? true,
    migrations,
    ...(options.now === undefined ? {} : { now: options.now }),
  });
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
    async derive(body) {
      return (await database.writeDerived(({ connection }) => body(connection))).value;
    },
    onChange: (listener) => database.onChange(listener),
    close: () => database.close({ processIsEnding: options.processIsEnding ?? false }),
  };
}
