import type { Engine } from './storage-engine.ts';
import type { Definition } from './schema/record-definitions.ts';
import type { Transaction } from './transaction.ts';

/** The part of a keyspace that migrations and repair need. */
export interface Transactor {
  readonly engine: Engine;
  readonly schema: Readonly<Record<string, Definition>>;
  transact<T>(body: (transaction: Transaction) => Promise<T>): Promise<T>;
}
