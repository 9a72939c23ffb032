import { type Keyspace, openKeyspace, sqliteEngine } from '@holdfast/keyspace';
import { schema } from './definitions.ts';
import { migrations } from './migrations/index.ts';

export type Store = Keyspace;

export interface StoreOptions {
  readonly path: string;
  readonly create?: boolean;
  /** Keeps the libraries of several tenants apart in one database. */
  readonly tenant?: string;
}

export async function openStore({ path, create = true, tenant }: StoreOptions): Promise<Store> {
  const engine = await sqliteEngine({ path, create });
  try {
    return await openKeyspace({ engine, schema, migrations, ...(tenant === undefined ? {} : { tenant }) });
  } catch (error) {
    await engine.close();
    throw error;
  }
}
