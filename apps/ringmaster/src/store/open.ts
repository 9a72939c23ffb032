import { type Connection, openTableStore, type TableStore, type TableStoreOptions } from '@holdfast/sqlite';

import { migrations } from './schema/migrations.ts';

export type { SqlValue } from '@holdfast/sqlite';

/** A connection inside a write or for reads; every function in `store/` takes one. */
export type Tx = Connection;

export type Store = TableStore;

interface StoreOptions extends Omit<TableStoreOptions, 'migrations' | 'lock'> {
  readonly busyTimeoutMs?: number;
  readonly cacheMb?: number;
}

const LOCK_WAIT_FACTOR = 6;

/** Many workers may wait for the lock: longer pauses cost a claim milliseconds and leave the CPU to others. */
const patience = { pauseMaxMs: 50, impatientAfterMs: 200 };

export async function openStore({ busyTimeoutMs, cacheMb, ...options }: StoreOptions): Promise<Store> {
  const store = await openTableStore({
    ...options,
    migrations,
    // The design document's busy timeout is for one try of SQLite; our fair lock may wait longer.
    lock: {
      ...patience,
      ...(busyTimeoutMs === undefined ? {} : { timeoutMs: busyTimeoutMs * LOCK_WAIT_FACTOR }),
    },
  });
  if (cacheMb !== undefined) store.reader.exec(`PRAGMA cache_size = -${Math.round(cacheMb * 1000)}`);
  return store;
}
