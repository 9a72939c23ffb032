import { type Connection, openTableStore, type TableStore, type TableStoreOptions } from '@holdfast/sqlite';

import { migrations } from './schema.ts';

/** The connection inside a write, or for reads. Everything in `store/` takes one of these. */
export type Tx = Connection;

export type Store = TableStore;

export function openStore(options: Omit<TableStoreOptions, 'migrations'>): Promise<Store> {
  return openTableStore({ ...options, migrations });
}
