import type { Connection } from './connection.ts';
import { type Database, type DatabaseOptions, openDatabase } from './database.ts';
import type { RowImage } from './journal/row-images.ts';

/** A database with tables of its own, as the applications that have one use it. */
export interface TableStore {
  readonly path: string;
  /** For reads of the latest state. */
  readonly reader: Connection;
  readonly database: Database;
  /** One commit, shared with whatever else this process commits; `note` is what the journal and undo call it. */
  write<T>(note: string, body: (tx: Connection) => T): Promise<T>;
  /** The same for a short body that says which rows it changed: nothing needs to watch it. */
  writeDescribed<T>(
    note: string,
    body: (tx: Connection, describe: (rows: readonly RowImage[]) => void) => T,
  ): Promise<T>;
  /** For what can be made again from the rest; submitted together with `write`, it shares its commit. Not journalled. */
  derive<T>(body: (tx: Connection) => T): Promise<T>;
  /** Calls back after commits of any process. */
  onChange(listener: () => void): () => void;
  close(): Promise<void>;
}

export interface TableStoreOptions extends Omit<DatabaseOptions, 'kind'> {
  /** A command that is about to end need not free the file itself. */
  readonly processIsEnding?: boolean;
}

export async function openTableStore({ processIsEnding = false, ...options }: TableStoreOptions): Promise<TableStore> {
  const database = await openDatabase({ ...options, kind: 'tables' });
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
    async derive(body) {
      return (await database.writeDerived(({ connection }) => body(connection))).value;
    },
    onChange: (listener) => database.onChange(listener),
    close: () => database.close({ processIsEnding }),
  };
}
