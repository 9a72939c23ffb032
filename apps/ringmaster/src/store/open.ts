import { type Connection, openTableStore, type TableStore, type TableStoreOptions } from '@holdfast/sqlite';

import { migrations } from './schema/migrations.ts';

export type { SqlValue } from '@holdfast/sqlite';

/** The connection inside a write, or for reads. Everything in `store/` takes one of these. */
export type Tx = Connection;

/** One open database of ringmaster. */
export type Store = TableStore;

interface StoreOptions extends Omit<TableStoreOptions, 'migrations' | 'lock'> {
  readonly busyTimeoutMs?: number;
  readonly cacheMb?: number;
}

const LOCK_WAIT_FACTOR = 6;

/** Many workers may wait for one lock. A claim can wait some milliseconds more, and those who work are left alone. */
const patience = { pauseMaxMs: 50, impatientAfterMs: 200 };

export async function openStore({ busyTimeoutMs, cacheMb, ...options }: StoreOptions): Promise<Store> {
  const store = await openTableStore({
    ...options,
    migrations,
    // The seed's busy timeout is for one try of SQLite's; ours waits fairly, so it may wait longer.
    lock: {
      ...patience,
      ...(busyTimeoutMs === undefined ? {} : { timeoutMs: busyTimeoutMs * LOCK_WAIT_FACTOR }),
    },
  });
  if (cacheMb !== undefined) store.reader.exec(`PRAGMA cache_size = -${Math.round(cacheMb * 1000)}`);
  return store;
}
