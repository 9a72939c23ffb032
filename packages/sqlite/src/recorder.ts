import type { ChangeRecorder, Connection } from './connection.ts';
import type { DatabaseSyncInstance } from './driver.ts';
import { SECTION_END } from './journal/changeset.ts';
import { type ColumnChanges, encodeColumnChanges } from './journal/row-images.ts';

/** Thrown if the changes that a caller described differ from those that SQLite made. */
export class Misdescribed extends Error {}

/**
 * Records a transaction's changes for the journal with an SQLite session, except for described changes. A session
 * stores all columns of every changed row and reads the rows again at the end. For a statement that changes one column
 * of ten thousand rows, this takes longer than the statement itself.
 */
export class Recorder implements ChangeRecorder {
  readonly #connection: Connection;
  readonly #sections: Uint8Array[] = [];
  #session: ReturnType<DatabaseSyncInstance['createSession']> | undefined;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#session = connection.driver.createSession();
  }

  /** Throws if the number of changed rows differs from the description, for example because of a new trigger. */
  describe(changes: ColumnChanges, change: () => void): void {
    this.#endSection();
    const before = totalChanges(this.#connection);
    change();
    if (totalChanges(this.#connection) - before !== changes.rows.length) throw new Misdescribed();
    if (changes.rows.length > 0) this.#sections.push(encodeColumnChanges(changes, this.#columnsOf(changes.table)));
    this.#session = this.#connection.driver.createSession();
  }

  /** Returns undefined when nothing changed. */
  changes(): Uint8Array | undefined {
    this.#endSection();
    const [first, ...later] = this.#sections;
    if (later.length === 0) return first;
    return Buffer.concat([first as Uint8Array, ...later.flatMap((section) => [Buffer.of(SECTION_END), section])]);
  }

  /** Discards the changes recorded so far, after the caller has stored them. */
  restart(): void {
    this.#sections.length = 0;
    this.#session = this.#connection.driver.createSession();
  }

  close(): void {
    this.#session?.close();
    this.#session = undefined;
  }

  #columnsOf(table: string): readonly string[] {
    const columns = this.#connection.all<{ name: string }>('SELECT name FROM pragma_table_info(?)', table);
    return columns.map(({ name }) => name);
  }

  #endSection(): void {
    const recorded = this.#session?.changeset();
    if (recorded !== undefined && recorded.length > 0) this.#sections.push(recorded);
    this.close();
  }
}

/** Number of rows that this connection has inserted, updated or deleted, including by triggers and foreign keys. */
export function totalChanges(connection: Connection): number {
  return (connection.prepareArrays('SELECT total_changes()').get() as [number])[0];
}
