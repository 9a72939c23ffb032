import { type Connection, openTableStore, type TableStore, type TableStoreOptions } from '@holdfast/sqlite';

import { migrations } from './schema.ts';

/** The connection inside a write, or for reads. */
export type Transaction = Connection;

export type Store = TableStore;

/** Rolls back what `body` wrote if it throws, without ending the transaction. */
export function inSavepoint(tx: Transaction, body: () => void): void {
  tx.run('SAVEPOINT step');
  try {
    body();
  } catch (error) {
    tx.run('ROLLBACK TO step');
    tx.run('RELEASE step');
    throw error;
  }
  tx.run('RELEASE step');
}

export function openStore(options: Omit<TableStoreOptions, 'migrations'>): Promise<Store> {
  return openTableStore({ ...options, migrations });
}
