import { type Engine, sqliteEngine } from '@holdfast/keyspace';
import type { PostgresEngine } from '@holdfast/postgres';

import type { StoreLocation } from './databases.ts';

/** An engine on PostgreSQL also reports replication problems. */
export type AccountsEngine = Engine & Partial<Pick<PostgresEngine, 'replicationProblems'>>;

/** Opens the accounts: in a file, or on the PostgreSQL server at `address`. */
export async function openAccountsEngine(
  { path, address }: Pick<StoreLocation, 'path' | 'address'>,
  lockTimeoutMs?: number,
): Promise<AccountsEngine> {
  if (address === undefined) {
    return sqliteEngine({ path, ...(lockTimeoutMs === undefined ? {} : { lock: { timeoutMs: lockTimeoutMs } }) });
  }
  const { postgresEngine } = await import('@holdfast/postgres');
  const patience = lockTimeoutMs === undefined ? {} : { totalMs: lockTimeoutMs };
  return postgresEngine({ address, space: 'accounts', patience });
}
