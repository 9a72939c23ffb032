import type { SqlValue, Tx } from './open.ts';

export interface BulkInsert {
  /** `INSERT INTO table (columns)`, without its rows. */
  readonly head: string;
  readonly columns: number;
  /** Clause after the rows, such as `ON CONFLICT …`. */
  readonly tail?: string;
}

/** Rows per statement: a power of two, well below SQLite's limit of 32,766 parameters. */
const ROWS_MAX = 1_024;
const PARAMETERS_MAX = 32_000;

/**
 * Inserts many rows in few statements. On a table with triggers each statement first saves every page it will change,
 * which costs more than the row. Sizes are powers of two, so that ten prepared statements serve any number of rows.
 */
export function insertMany<T>(
  tx: Tx,
  { head, columns, tail = '' }: BulkInsert,
  items: readonly T[],
  addValues: (item: T, values: SqlValue[]) => void,
): void {
  const row = `(${Array.from({ length: columns }, () => '?').join(', ')})`;
  let size = ROWS_MAX;
  while (size * columns > PARAMETERS_MAX) size /= 2;
  for (let start = 0; start < items.length; start += size) {
    while (size > items.length - start) size /= 2;
    const values: SqlValue[] = [];
    for (let index = start; index < start + size; index++) addValues(items[index] as T, values);
    tx.run(`${head} VALUES ${Array.from({ length: size }, () => row).join(', ')} ${tail}`, ...values);
  }
}
