import { type Engine, sqliteEngine } from '@holdfast/keyspace';

import type { StoreLocation } from './databases.ts';

/** Opens the accounts: in a file, or on the PostgreSQL server at `address`. */
export async function openAccountsEngine(
  { path, address }: Pick<StoreLocation, 'path' | 'address'>,
  lockTimeoutMs?: number,
): Promise<Engine> {
  if (address === undefined) {
    return sqliteEngine({ path, ...(lockTimeoutMs === undefined ? {} : { lock: { timeoutMs: lockTimeoutMs } }) });
  }
  const { postgresEngine } = await import('@holdfast/postgres');
  const patience = lockTimeoutMs === undefined ? {} : { totalMs: lockTimeoutMs };
  return postgresEngine({ address, space: 'accounts', patience });
}
