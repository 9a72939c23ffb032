import { isHoldfastError } from '@holdfast/base';

import type { Connection, SqlValue } from '../connection.ts';
import type { RowChange } from './changeset.ts';
import type { JournalEntry } from './journal.ts';

/**
 * Restores rows on a connection that does not enforce foreign keys, because the journal already contains the effects of
 * `ON DELETE CASCADE` and triggers. The transaction's session records the restore like any other commit. `entries` are
 * ordered newest first. Returns the number of undone changes.
 */
export function undoRows(connection: Connection, entries: Iterable<Pick<JournalEntry, 'sections'>>): number {
  const triggers = connection.all<{ name: string; sql: string }>(
    `SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND sql IS NOT NULL`,
  );
  for (const { name } of triggers) connection.exec(`DROP TRIGGER ${quote(name)}`);
  let undone = 0;
  for (const { sections } of entries) {
    for (const section of sections.toReversed()) {
      undoSection(connection, section);
      undone += section.length;
    }
  }
  for (const { sql } of triggers) connection.exec(sql);
  return undone;
}

/**
 * The order within a section is unknown, and a unique value may have moved between rows. So this undoes insertions
 * first, then updates, then deletions. If another row still has the old value of an updated row, the updated row waits
 * in a temporary table.
 */
function undoSection(connection: Connection, changes: readonly RowChange[]): void {
  const of = (operation: RowChange['operation']): UndoableRow[] =>
    changes.filter((change) => change.operation === operation).map((change) => new UndoableRow(connection, change));
  for (const row of of('insert')) row.remove();
  const aside = of('update').filter((row) => !row.changesBack());
  for (const row of of('delete')) row.insert();
  for (const row of aside) row.returnChanged();
}

/** SQL with a parameter that gives SQLite exactly the original value. */
interface Exact {
  readonly sql: string;
  readonly parameter: SqlValue;
}

interface Column extends Exact {
  readonly name: string;
}

/** The driver rounds positive numbers below this one to 0. */
const TINY = 2 ** -52;
let asideCount = 0;

class UndoableRow {
  readonly #connection: Connection;
  readonly #table: string;
  readonly #columns: readonly string[];
  readonly #key: readonly Column[];
  /** The column values that restore the row. */
  readonly #before: readonly Column[];
  #asideTable = '';

  constructor(connection: Connection, change: RowChange) {
    this.#connection = connection;
    this.#table = quote(change.table);
    this.#columns = connection
      .all<{ name: string }>(`PRAGMA table_info(${this.#table})`)
      .map(({ name }) => quote(name));
    const all = (values: readonly (SqlValue | undefined)[]): (Column & { isKey: boolean })[] =>
      this.#columns.flatMap((name, index) => {
        const value = values[index];
        return value === undefined ? [] : [{ name, isKey: change.isKeyColumn[index] === true, ...exact(value) }];
      });
    this.#key = all(change.operation === 'insert' ? change.after : change.before).filter(({ isKey }) => isKey);
    this.#before = all(change.before).filter(({ isKey }) => change.operation === 'delete' || !isKey);
  }

  remove(): void {
    this.#run(`DELETE FROM ${this.#table} WHERE ${this.#where}`, this.#key);
  }

  insert(): void {
    const names = this.#before.map(({ name }) => name).join(', ');
    const values = this.#before.map(({ sql }) => sql).join(', ');
    this.#run(`INSERT INTO ${this.#table} (${names}) VALUES (${values})`, this.#before);
  }

  /** Returns false if another row still has this row's old value; the row then waits in a temporary table. */
  changesBack(): boolean {
    try {
      this.#update(this.#table);
      return true;
    } catch (error) {
      if (!isHoldfastError(error, 'STORE_CONSTRAINT')) throw error;
      this.#stepAside();
      return false;
    }
  }

  returnChanged(): void {
    this.#update(this.#asideTable);
    const columns = this.#columns.join(', ');
    this.#connection.exec(`INSERT INTO ${this.#table} (${columns}) SELECT ${columns} FROM ${this.#asideTable}`);
    this.#connection.exec(`DROP TABLE ${this.#asideTable}`);
  }

  /** Moves the row into a temporary table, where unchanged columns keep their exact values. */
  #stepAside(): void {
    asideCount += 1;
    this.#asideTable = `temp.holdfast_aside_${asideCount}`;
    const columns = this.#columns.join(', ');
    this.#connection.exec(`CREATE TABLE ${this.#asideTable} AS SELECT ${columns} FROM ${this.#table} WHERE false`);
    this.#run(`INSERT INTO ${this.#asideTable} SELECT ${columns} FROM ${this.#table} WHERE ${this.#where}`, this.#key);
    this.remove();
  }

  #update(table: string): void {
    const assignments = this.#before.map(({ name, sql }) => `${name} = ${sql}`).join(', ');
    this.#run(`UPDATE ${table} SET ${assignments} WHERE ${this.#where}`, [...this.#before, ...this.#key]);
  }

  get #where(): string {
    return this.#key.map(({ name, sql }) => `${name} IS ${sql}`).join(' AND ');
  }

  #run(sql: string, values: readonly Exact[]): void {
    this.#connection.run(sql, ...values.map(({ parameter }) => parameter));
  }
}

function exact(value: SqlValue): Exact {
  // The journal returns integers as bigint, so a JavaScript number is always a REAL. The driver would pass 5.0 as the
  // integer 5.
  if (typeof value === 'number') {
    return { sql: 'CAST(? AS REAL)', parameter: value > 0 && value < TINY ? String(value) : value };
  }
  // The driver would truncate text at the first NUL.
  if (typeof value === 'string' && value.includes('\0')) {
    return { sql: 'CAST(? AS TEXT)', parameter: Buffer.from(value) };
  }
  return { sql: '?', parameter: value };
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
