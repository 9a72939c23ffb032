import type { Connection } from './connection.ts';
import { type Database, type DatabaseOptions, openDatabase } from './database.ts';
import type { RowImage } from './journal/row-images.ts';

/** An application's database with its own tables. */
export interface TableStore {
  readonly path: string;
  /** For reads of the latest state. */
  readonly reader: Connection;
  readonly database: Database;
  /**
   * Runs one transaction, which may share a commit with others; `note` names it in the journal and in undo. A large
   * transaction calls `split` from time to time, so that its journal entries stay small.
   */
  write<T>(note: string, body: (tx: Connection, split: () => void) => T): Promise<T>;
  /** Like `write`, for a short body that describes its changed rows. */
  writeDescribed<T>(
    note: string,
    body: (tx: Connection, describe: (rows: readonly RowImage[]) => void) => T,
  ): Promise<T>;
  /** Writes data that can be rebuilt and is not journaled. Submitted together with a `write`, it shares that commit. */
  derive<T>(body: (tx: Connection) => T): Promise<T>;
  /** Calls `listener` after a commit by any process; returns an unsubscribe function. */
  onChange(listener: () => void): () => void;
  close(): Promise<void>;
}

export interface TableStoreOptions extends Omit<DatabaseOptions, 'kind'> {
  /** For a command that is about to exit: leaves closing the file to the operating system. */
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
        return body(transaction.connection, () => transaction.split());
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
