import type { SqlValue, Tx } from './open.ts';

/** Maximum number of rows per statement: a power of two, well below SQLite's limit of 32,766 parameters. */
const ROWS_MAX = 1_024;
const PARAMETERS_MAX = 32_000;

/**
 * Inserts many rows with few statements. On a table with triggers, each statement makes SQLite copy changed pages to a
 * journal, which costs more than inserting a row. Batch sizes are powers of two, so few prepared statements are needed.
 */
export class BulkInsert {
  readonly #into: string;
  readonly #columns: readonly string[];
  readonly #tail: string;
  /** The SQL of each statement, by number of rows. */
  readonly #statements = new Map<number, string>();

  /** `into` is for example `INSERT INTO tasks`; `tail` follows the values, for example `ON CONFLICT …`. */
  constructor(into: string, columns: readonly string[], tail = '') {
    this.#into = into;
    this.#columns = columns;
    this.#tail = tail;
  }

  /** `values` are the columns of the first row, then those of the second, and so on. */
  run(tx: Tx, values: readonly SqlValue[]): void {
    const width = this.#columns.length;
    let size = ROWS_MAX;
    while (size * width > PARAMETERS_MAX) size /= 2;
    for (let start = 0; start < values.length; start += size * width) {
      while (size * width > values.length - start) size /= 2;
      tx.run(this.#statement(size), ...values.slice(start, start + size * width));
    }
  }

  #statement(size: number): string {
    const known = this.#statements.get(size);
    if (known !== undefined) return known;
    const row = `(${this.#columns.map(() => '?').join(', ')})`;
    const rows = Array.from({ length: size }, () => row).join(', ');
    const sql = `${this.#into} (${this.#columns.join(', ')}) VALUES ${rows} ${this.#tail}`;
    this.#statements.set(size, sql);
    return sql;
  }
}
