import type { SqlValue } from '../connection.ts';

/**
 * Reads SQLite's changeset format (https://sqlite.org/session/changeset.html). The driver can record it but not read
 * it; `holdfast changes` shows it, and undo needs the old values.
 */

type RowOperation = 'insert' | 'update' | 'delete';

export interface RowChange {
  readonly table: string;
  readonly operation: RowOperation;
  /** One entry per column; for an update, undefined for unchanged columns. */
  readonly before: readonly (SqlValue | undefined)[];
  readonly after: readonly (SqlValue | undefined)[];
  readonly isKeyColumn: readonly boolean[];
}

const TABLE_HEADER = 0x54;
/** Our separator between consecutive changesets of one commit. */
export const SECTION_END = 0x53;
const operations: Readonly<Record<number, RowOperation>> = { 9: 'delete', 18: 'insert', 23: 'update' };

const UNDEFINED = 0;
const INTEGER = 1;
const FLOAT = 2;
const TEXT = 3;
const BLOB = 4;
const NULL = 5;

export function decodeChangeset(changeset: Uint8Array, exact = false): RowChange[] {
  return decodeSections(changeset, exact).flat();
}

/**
 * Returns the sections in order. Within a section, each row occurs once, in no particular order. With `exact`, every
 * integer is a bigint, because 5 and 5.0 differ in a column without a type.
 */
export function decodeSections(changeset: Uint8Array, exact = false): RowChange[][] {
  const reader = new Reader(changeset, exact);
  let changes: RowChange[] = [];
  const sections = [changes];
  let table: { name: string; isKeyColumn: boolean[] } | undefined;
  while (!reader.atEnd) {
    const marker = reader.byte();
    if (marker === SECTION_END) {
      changes = [];
      sections.push(changes);
      continue;
    }
    if (marker === TABLE_HEADER) {
      table = reader.tableHeader();
      continue;
    }
    const operation = operations[marker];
    if (operation === undefined || table === undefined)
      throw new TypeError(`Not a changeset: unexpected byte ${marker}`);
    reader.byte(); // The "indirect" flag marks changes made by triggers; undo treats all changes alike.
    const columns = table.isKeyColumn.length;
    const none = Array.from<undefined>({ length: columns });
    const before = operation === 'insert' ? none : reader.record(columns);
    const after = operation === 'delete' ? none : reader.record(columns);
    changes.push({ table: table.name, operation, before, after, isKeyColumn: table.isKeyColumn });
  }
  return sections;
}

class Reader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #exact: boolean;
  #at = 0;

  constructor(bytes: Uint8Array, exact: boolean) {
    this.#exact = exact;
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get atEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  byte(): number {
    return this.#view.getUint8(this.#at++);
  }

  tableHeader(): { name: string; isKeyColumn: boolean[] } {
    const columns = this.#varint();
    const isKeyColumn = Array.from({ length: columns }, () => this.byte() !== 0);
    const end = this.#bytes.indexOf(0, this.#at);
    const name = Buffer.from(this.#bytes.subarray(this.#at, end)).toString('utf8');
    this.#at = end + 1;
    return { name, isKeyColumn };
  }

  record(columns: number): (SqlValue | undefined)[] {
    return Array.from({ length: columns }, () => this.#value());
  }

  #value(): SqlValue | undefined {
    const type = this.byte();
    switch (type) {
      case UNDEFINED:
        return undefined;
      case NULL:
        return null;
      case INTEGER: {
        const value = this.#view.getBigInt64(this.#advance(8));
        return !this.#exact && Number.isSafeInteger(Number(value)) ? Number(value) : value;
      }
      case FLOAT:
        return this.#view.getFloat64(this.#advance(8));
      case TEXT:
        return Buffer.from(this.#slice()).toString('utf8');
      case BLOB:
        return new Uint8Array(this.#slice());
      default:
        throw new TypeError(`Not a changeset: unknown value type ${type}`);
    }
  }

  #slice(): Uint8Array {
    const length = this.#varint();
    const start = this.#advance(length);
    return this.#bytes.subarray(start, start + length);
  }

  #advance(length: number): number {
    const start = this.#at;
    this.#at += length;
    if (this.#at > this.#bytes.length) throw new RangeError('The changeset ends in the middle of a value');
    return start;
  }

  /**
   * Reads SQLite's varint: seven bits per byte; the high bit means that another byte follows. Lengths stay below 2^53.
   */
  #varint(): number {
    let value = 0;
    for (let index = 0; index < 8; index++) {
      const byte = this.byte();
      value = value * 128 + (byte & 0x7f);
      if (byte < 0x80) return value;
    }
    return value * 256 + this.byte();
  }
}
