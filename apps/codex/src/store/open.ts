import { type Connection, openTableStore, type TableStore, type TableStoreOptions } from '@holdfast/sqlite';

import { migrations } from './schema.ts';

/** A connection of a write transaction, or a read-only one. */
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
