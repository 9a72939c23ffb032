import type { StoredValue } from '@holdfast/base';

import type { Connection } from './connection.ts';
import { storeErrors } from './errors.ts';
import type { SqlValue } from './values.ts';

/** Reads and writes of the table `keyspace`. */

export interface KeyRange {
  readonly gte: string;
  readonly lt: string;
  readonly limit: number;
  readonly reverse: boolean;
}

const forwards = 'SELECT key, value FROM keyspace WHERE key >= ? AND key < ? ORDER BY key LIMIT ?';
const backwards = 'SELECT key, value FROM keyspace WHERE key >= ? AND key < ? ORDER BY key DESC LIMIT ?';

export function readKey(connection: Connection, key: string): StoredValue | undefined {
  // The driver would look up a different key: it cuts the key at NUL, and replaces half of a surrogate pair.
  if (key.includes('\0') || !key.isWellFormed()) return undefined;
  const [row] = connection.allExact('SELECT value FROM keyspace WHERE key = ?', key);
  return row === undefined ? undefined : toStored(row[0]);
}

export function readRange(
  connection: Connection,
  { gte, lt, limit, reverse }: KeyRange,
): (readonly [key: string, value: StoredValue])[] {
  const rows = connection.allExact(reverse ? backwards : forwards, gte, lt, limit);
  for (const row of rows) {
    // Only a damaged page has a key that is not text; no statement can address such a row.
    if (typeof row[0] !== 'string') throw storeErrors.STORE_CORRUPT(`${connection.path}: a key is not text`);
    if (typeof row[1] !== 'string') row[1] = toStored(row[1]);
  }
  return rows as [string, StoredValue][];
}

export function writeKey(connection: Connection, key: string, value: StoredValue | undefined): void {
  if (value === undefined) connection.run('DELETE FROM keyspace WHERE key = ?', key);
  else connection.run('INSERT OR REPLACE INTO keyspace (key, value) VALUES (?, ?)', key, value);
}

/** Holdfast stores only text and bytes. In a damaged row, a number or NULL becomes bytes that no codec accepts. */
function toStored(value: SqlValue | undefined): StoredValue {
  if (typeof value === 'string' || value instanceof Uint8Array) return value;
  return Buffer.from(`${value === null ? 'NULL' : typeof value} ${String(value)}`);
}
