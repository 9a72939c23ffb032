import {
  type Connection,
  openTableStore,
  type SqlValue,
  type TableStore,
  type TableStoreOptions,
} from '@holdfast/sqlite';

import { migrations } from './schema/migrations.ts';

export { findJournalProblems, repairFromJournal } from '@holdfast/sqlite';
export type { SqlValue };

/** The connection of a write transaction, or a read-only connection. Every function in `store/` takes one. */
export type Tx = Connection;

export type Store = TableStore;

interface StoreOptions extends Omit<TableStoreOptions, 'migrations' | 'lock'> {
  readonly busyTimeoutMs?: number;
  readonly cacheMb?: number;
}

const LOCK_WAIT_FACTOR = 6;

/** Many workers may wait for the lock. Longer pauses between tries delay a claim by milliseconds but save CPU time. */
export const lockPauses = { pauseMaxMs: 50, impatientAfterMs: 200 };

export async function openStore({ busyTimeoutMs, cacheMb, ...options }: StoreOptions): Promise<Store> {
  const store = await openTableStore({
    ...options,
    migrations,
    // The busy timeout in the ringmaster design document limits a single attempt by SQLite. Waiting for Holdfast's fair
    // lock may take longer.
    lock: {
      ...lockPauses,
      ...(busyTimeoutMs === undefined ? {} : { timeoutMs: busyTimeoutMs * LOCK_WAIT_FACTOR }),
    },
  });
  // Most tables have triggers, so SQLite saves the pages that a statement changes, in case the statement fails. Saving
  // them in memory is faster than in a temporary file.
  store.reader.exec('PRAGMA temp_store = MEMORY');
  if (cacheMb !== undefined) store.reader.exec(`PRAGMA cache_size = -${Math.round(cacheMb * 1000)}`);
  return store;
}

/** Inserts a row; returns its rowid. `clause` follows the values, for example `ON CONFLICT …`. */
export function insertRow(tx: Tx, table: string, row: object, clause = ''): number {
  const names = Object.keys(row);
  const marks = names.map(() => '?').join(', ');
  const sql = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${marks}) ${clause}`;
  return tx.run(sql, ...(Object.values(row) as SqlValue[])).lastInsertRowid;
}

/** Updates columns of the rows with this key. Does nothing if `changes` is empty. */
export function updateRow(tx: Tx, table: string, key: object, changes: object): void {
  if (Object.keys(changes).length === 0) return;
  const sql = `UPDATE ${table} SET ${equations(changes).join(', ')} WHERE ${equations(key).join(' AND ')}`;
  tx.run(sql, ...([...Object.values(changes), ...Object.values(key)] as SqlValue[]));
}

function equations(values: object): string[] {
  return Object.keys(values).map((name) => `${name} = ?`);
}
