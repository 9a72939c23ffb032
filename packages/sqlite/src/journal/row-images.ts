import type { Row, SqlValue } from '../values.ts';

/**
 * A row before and after a transaction, as the transaction describes it. Columns are in table order, as `SELECT *`
 * returns them.
 */
export interface RowImage {
  readonly table: string;
  readonly key: string;
  readonly before?: Row | undefined;
  readonly after?: Row | undefined;
}

/** Rows in which a bulk statement changed the same columns. */
export interface ColumnChanges {
  readonly table: string;
  readonly key: string;
  readonly changed: readonly string[];
  /** Each row consists of the key, the old values of the changed columns, and then their new values. */
  readonly rows: readonly (readonly SqlValue[])[];
}

const TABLE_HEADER = 0x54;
const INSERT = 18;
const UPDATE = 23;
const DELETE = 9;
const UNDEFINED = 0;
const INTEGER = 1;
const FLOAT = 2;
const TEXT = 3;
const BLOB = 4;
const NULL = 5;

/**
 * Writes SQLite's changeset format, like an SQLite session. A session inspects the tables each time, which takes longer
 * than a short transaction.
 *
 * Writes whole numbers as integers. A REAL column converts them back to reals. A column without a type would not, so
 * tables with such columns use a session.
 */
export function encodeRowImages(images: readonly RowImage[]): Uint8Array {
  const writer = new Writer();
  for (const { table, key, before, after } of images) {
    const names = Object.keys(after ?? before ?? {});
    // An update contains the key and the changed columns.
    const isTold = (name: string): boolean =>
      before === undefined || after === undefined || !isSame(before[name], after[name]);
    if (!names.some(isTold)) continue;
    writer.header(table, names, key);
    writer.byte(operationOf(before, after));
    writer.byte(0);
    if (before !== undefined) {
      for (const name of names) writer.value(name === key || isTold(name) ? before[name] : undefined);
    }
    if (after !== undefined) for (const name of names) writer.value(isTold(name) ? after[name] : undefined);
  }
  return writer.bytes();
}

/** Encodes updates only; `columns` are all of the table's columns, in order. */
export function encodeColumnChanges(
  { table, key, changed, rows }: ColumnChanges,
  columns: readonly string[],
): Uint8Array {
  const writer = new Writer();
  writer.header(table, columns, key);
  // Maps each column to the indexes of its old and new value; -1 for unchanged columns.
  const told = [key, ...changed];
  const before = columns.map((name) => told.indexOf(name));
  const after = before.map((index) => (index > 0 ? index + changed.length : -1));
  const layout = [...before, ...after];
  for (const row of rows) {
    writer.byte(UPDATE);
    writer.byte(0);
    for (const index of layout) {
      if (index < 0) writer.byte(UNDEFINED);
      else writer.value(row[index]);
    }
  }
  return writer.bytes();
}

/** Compares bytes by content, because each read creates a new object. */
function isSame(left: SqlValue | undefined, right: SqlValue | undefined): boolean {
  if (left === right) return true;
  return left instanceof Uint8Array && right instanceof Uint8Array && Buffer.compare(left, right) === 0;
}

function operationOf(before: Row | undefined, after: Row | undefined): number {
  if (before === undefined) return INSERT;
  return after === undefined ? DELETE : UPDATE;
}

class Writer {
  #buffer = Buffer.allocUnsafe(4_096);
  #at = 0;

  bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#at);
  }

  header(table: string, columns: readonly string[], key: string): void {
    this.byte(TABLE_HEADER);
    this.varint(columns.length);
    for (const name of columns) this.byte(name === key ? 1 : 0);
    this.text(table);
    this.byte(0);
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#buffer[this.#at++] = value;
  }

  /** Writes SQLite's varint: seven bits per byte, highest first. Stored values are shorter than 2^31. */
  varint(value: number): void {
    for (let shift = 28; shift > 0; shift -= 7) if (value >> shift > 0) this.byte(((value >> shift) & 0x7f) | 0x80);
    this.byte(value & 0x7f);
  }

  text(value: string): void {
    const length = Buffer.byteLength(value);
    this.#reserve(length);
    this.#at += this.#buffer.write(value, this.#at);
  }

  value(value: SqlValue | undefined): void {
    if (value === undefined) this.byte(UNDEFINED);
    else if (value === null) this.byte(NULL);
    else if (typeof value === 'string') {
      this.byte(TEXT);
      this.varint(Buffer.byteLength(value));
      this.text(value);
    } else if (typeof value === 'object') {
      this.byte(BLOB);
      this.varint(value.length);
      this.#reserve(value.length);
      this.#buffer.set(value, this.#at);
      this.#at += value.length;
    } else this.#number(value);
  }

  #number(value: number | bigint): void {
    this.#reserve(9);
    if (typeof value === 'bigint' || Number.isSafeInteger(value)) {
      this.byte(INTEGER);
      this.#at = this.#buffer.writeBigInt64BE(BigInt(value), this.#at);
    } else {
      this.byte(FLOAT);
      this.#at = this.#buffer.writeDoubleBE(value, this.#at);
    }
  }

  #reserve(length: number): void {
    if (this.#at + length <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(2 * (this.#at + length));
    this.#buffer.copy(larger, 0, 0, this.#at);
    this.#buffer = larger;
  }
}
