import type { SqlValue, Tx } from './open.ts';

export interface BulkInsert {
  /** `INSERT INTO table (columns)`, without its rows. */
  readonly head: string;
  readonly columns: number;
  /** What follows the rows, as `ON CONFLICT …`. */
  readonly tail?: string;
}

/** As many rows as keep a statement well below SQLite's limit of 32,766 parameters, a power of two. */
const ROWS_MAX = 1_024;
const PARAMETERS_MAX = 32_000;

/**
 * Many rows in few statements. A statement on a table with triggers first saves every page that it is going to change,
 * in case a trigger refuses it; that costs more than the row, and is paid once per statement. The sizes are powers of
 * two, so that statements of ten different lengths serve any number of rows.
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
