import { engineOn, type Keyspace, openKeyspace } from '@holdfast/keyspace';
import { backupDatabase, type Database, openDatabase } from '@holdfast/sqlite';
import { existsSync } from 'node:fs';
import { schema } from './definitions.ts';
import { withEncryption } from './encryption.ts';
import { migrations } from './migrations.ts';

export type Store = Keyspace;

export interface StoreOptions {
  readonly path: string;
  readonly create?: boolean;
  /** Separates the libraries of several tenants in one database. */
  readonly tenant?: string;
  /** Reads the key file; called only if the database has encrypted fields. */
  readonly secret?: () => Uint8Array | undefined;
}

export async function openStore({
  path,
  create = true,
  tenant,
  secret = () => undefined,
}: StoreOptions): Promise<Store> {
  const database = await openDatabase({ path, create, kind: 'keyspace' });
  try {
    await backUpBeforeMigrating(database);
    const engine = await withEncryption(engineOn(database), secret);
    return await openKeyspace({ engine, schema, migrations, ...(tenant === undefined ? {} : { tenant }) });
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Backs up the database before a migration; an interrupted migration already has its backup. */
async function backUpBeforeMigrating(database: Database): Promise<void> {
  const version = database.get<{ value: unknown }>(`SELECT value FROM keyspace WHERE key = 'meta:version'`)?.value;
  if (version === undefined || Number(version) >= migrations.steps.length) return;
  const target = `${database.path}.before-version-${migrations.steps.length}`;
  if (!existsSync(target)) await backupDatabase(database, target);
}
