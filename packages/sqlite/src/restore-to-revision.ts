import { isHoldfastError, sameStored, type StoredValue } from '@holdfast/base';

import type { Connection, SqlValue } from './connection.ts';
import type { Database } from './database.ts';
import { storeErrors } from './errors.ts';
import type { Committed, WriteTransaction } from './group-commit.ts';
import type { RowChange } from './journal/changeset.ts';
import { restoreJournalled, writeKey } from './journal/verify-journal.ts';
import { currentRevision, type JournalEntry, oldestRevision, readEntriesBackwards } from './journal/journal.ts';
import { encodeKeyChanges } from './journal/key-changes.ts';

/**
 * Point-in-time restore as one more commit.
 *
 * The journal has every key and row from before each commit, so restoring revision R undoes everything after R in one
 * transaction. Running programs keep their connections, watchers see an ordinary change, revisions continue, and the
 * restore can itself be undone.
 */

const PAGE = 500;

export function restoreToRevision(database: Database, revision: number): Promise<Committed<number>> {
  const restore = (transaction: WriteTransaction): number => {
    const { connection } = transaction;
    checkRestorePoint(connection, revision);
    transaction.note(`restored to revision ${revision}`);
    return database.kind === 'keyspace'
      ? undoKeys(transaction, revision)
      : undoRows(connection, entriesAfter(connection, revision));
  };
  return database.kind === 'keyspace' ? database.write(restore) : database.writeUnguarded(restore);
}

function checkRestorePoint(connection: Connection, revision: number): void {
  const newest = currentRevision(connection);
  // Undoing the oldest entry restores the revision before it.
  const oldest = Math.max(0, oldestRevision(connection) - 1);
  if (Number.isInteger(revision) && revision >= oldest && revision <= newest) return;
  throw storeErrors.RESTORE_POINT_UNKNOWN(
    `${connection.path} can be restored to revisions ${oldest} to ${newest}, not to ${revision}`,
  );
}

function* entriesAfter(connection: Connection, revision: number): Generator<JournalEntry> {
  let before = currentRevision(connection) + 1;
  for (;;) {
    const page = readEntriesBackwards(connection, revision, before, PAGE);
    for (const entry of page) {
      if (entry.kind === 'schema') {
        throw storeErrors.RESTORE_CROSSES_SCHEMA(
          `Revision ${entry.revision} (${entry.note ?? 'schema change'}) was made after revision ${revision} and cannot be undone`,
        );
      }
      yield entry;
    }
    const last = page.at(-1);
    if (last === undefined) return;
    before = last.revision;
  }
}

/** Returns the number of changed keys. */
function undoKeys(transaction: WriteTransaction, revision: number): number {
  const { connection } = transaction;
  // Starts with values that changed without a journal entry: undoing journal entries would not restore them.
  const changes = new Map(restoreJournalled(connection).map((change) => [change.key, change]));
  const valuesThen = new Map<string, StoredValue | undefined>();
  for (const entry of entriesAfter(connection, revision)) {
    for (const { key, before } of entry.keys) valuesThen.set(key, before);
  }
  for (const [key, after] of valuesThen) {
    const before = connection.get<{ value: StoredValue }>('SELECT value FROM keyspace WHERE key = ?', key)?.value;
    if (sameStored(before, after)) continue;
    const change = { key, before: changes.get(key)?.before ?? before, after };
    changes.set(key, change);
    writeKey(connection, change);
  }
  if (changes.size > 0) transaction.journal(encodeKeyChanges([...changes.values()]));
  return changes.size;
}

/**
 * Restores rows on a connection that does not enforce foreign keys: the journal already contains the effects of
 * `ON DELETE CASCADE` and triggers. The transaction's session records the restore like any other commit.
 *
 * `entries` come newest first. Returns the number of undone changes.
 */
function undoRows(connection: Connection, entries: Iterable<JournalEntry>): number {
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
 * first, then updates, then deletions. An update whose old value another row still has waits in a temporary table.
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
  /** The writes that restore the row. */
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
  // The journal returns integers as bigint, so a number is a real. The driver would pass 5.0 as the integer 5.
  if (typeof value === 'number') {
    return { sql: 'CAST(? AS REAL)', parameter: value > 0 && value < TINY ? String(value) : value };
  }
  // The driver would cut text at the first NUL.
  if (typeof value === 'string' && value.includes('\0')) {
    return { sql: 'CAST(? AS TEXT)', parameter: Buffer.from(value) };
  }
  return { sql: '?', parameter: value };
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
