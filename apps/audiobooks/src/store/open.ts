import { engineOn, type Keyspace, openKeyspace } from '@holdfast/keyspace';
import { backupDatabase, type Database, openDatabase } from '@holdfast/sqlite';
import { existsSync } from 'node:fs';
import { schema } from './definitions.ts';
import { withEncryption } from './encryption/turn-on.ts';
import { migrations } from './migrations/index.ts';

export type Store = Keyspace;

export interface StoreOptions {
  readonly path: string;
  readonly create?: boolean;
  /** Keeps the libraries of several tenants apart in one database. */
  readonly tenant?: string;
  /** The secret of the key file; asked for only when fields of this database are encrypted. */
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

/** A library that is about to be changed in its layout is copied first; an interrupted migration has its copy already. */
async function backUpBeforeMigrating(database: Database): Promise<void> {
  const version = database.get<{ value: unknown }>(`SELECT value FROM keyspace WHERE key = 'meta:version'`)?.value;
  if (version === undefined || Number(version) >= migrations.steps.length) return;
  const target = `${database.path}.before-version-${migrations.steps.length}`;
  if (!existsSync(target)) await backupDatabase(database, target);
}
