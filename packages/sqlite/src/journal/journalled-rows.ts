import { sameStored } from '@holdfast/base';

import type { Connection, SqlValue } from '../connection.ts';
import type { RowChange } from './changeset.ts';

type Values = readonly (SqlValue | undefined)[];

interface JournalledRow {
  readonly table: string;
  readonly isKeyColumn: readonly boolean[];
  /** Undefined for columns that no entry mentions. */
  readonly values: Values;
  readonly isDeleted: boolean;
}

export interface RowDifference {
  /** Table and primary key, for example `tasks T-4f2a`. */
  readonly key: string;
  /** The change that is not in the journal; undoing it restores the row. */
  readonly change: RowChange;
}

/** Collects the last recorded state of every row in the journal, and compares it with the tables. */
export class JournalledRows {
  readonly #rows = new Map<string, JournalledRow>();

  clear(): void {
    this.#rows.clear();
  }

  add({ table, operation, before, after, isKeyColumn }: RowChange): void {
    const isKept = (_: unknown, index: number): boolean => isKeyColumn[index] === true;
    const keyValues = (operation === 'insert' ? after : before).filter(isKept);
    const id = `${table} ${keyValues.map(String).join(' ')}`;
    const known = this.#rows.get(id)?.values ?? [];
    const values = isKeyColumn.map((isKey, index) => {
      if (after[index] !== undefined) return after[index];
      return isKey ? before[index] : known[index];
    });
    const isDeleted = operation === 'delete';
    this.#rows.set(id, { table, isKeyColumn, values: isDeleted ? before : values, isDeleted });
  }

  /**
   * Returns the rows that differ from the journal. Omits a missing row if the journal does not have all of its columns.
   */
  differences(connection: Connection): readonly RowDifference[] {
    const columnsOf = new Map<string, readonly string[]>();
    const found: RowDifference[] = [];
    for (const [key, row] of this.#rows) {
      const columns = columnsOf.get(row.table) ?? quotedColumns(connection, row.table);
      columnsOf.set(row.table, columns);
      if (columns.length !== row.isKeyColumn.length) continue;
      const change = difference(row, storedRow(connection, row, columns));
      if (change !== undefined) found.push({ key, change });
    }
    return found;
  }
}

function difference(row: JournalledRow, stored: Values | undefined): RowChange | undefined {
  const { table, isKeyColumn, values, isDeleted } = row;
  const none = values.map(() => undefined);
  if (isDeleted) {
    return stored === undefined ? undefined : { table, operation: 'insert', before: none, after: stored, isKeyColumn };
  }
  if (stored === undefined) {
    if (values.includes(undefined)) return undefined;
    return { table, operation: 'delete', before: values, after: none, isKeyColumn };
  }
  const isChanged = values.map((value, index) => value !== undefined && !isSame(value, stored[index]));
  if (!isChanged.includes(true)) return undefined;
  const before = values.map((value, index) => (isChanged[index] || isKeyColumn[index] ? value : undefined));
  const after = stored.map((value, index) => (isChanged[index] ? value : undefined));
  return { table, operation: 'update', before, after, isKeyColumn };
}

function storedRow(connection: Connection, row: JournalledRow, columns: readonly string[]): Values | undefined {
  const isKey = (_: unknown, index: number): boolean => row.isKeyColumn[index] === true;
  const where = columns.filter(isKey).map((name) => `${name} IS ?`);
  const sql = `SELECT ${columns.join(', ')} FROM ${quote(row.table)} WHERE ${where.join(' AND ')}`;
  const [stored] = connection.allExact(sql, ...(row.values.filter(isKey) as SqlValue[]));
  return stored;
}

/** The journal may hold the integer 5 for a REAL column that stores 5.0. */
function isSame(left: SqlValue, right: SqlValue | undefined): boolean {
  if (typeof left === 'bigint' && typeof right === 'number') return Number(left) === right;
  if (typeof left === 'number' && typeof right === 'bigint') return left === Number(right);
  if (left instanceof Uint8Array && right instanceof Uint8Array) return sameStored(left, right);
  return left === right;
}

function quotedColumns(connection: Connection, table: string): readonly string[] {
  const columns = connection.all<{ name: string }>('SELECT name FROM pragma_table_info(?)', table);
  return columns.map(({ name }) => quote(name));
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
