import { type Keyspace, openKeyspace, sqliteEngine } from '@holdfast/keyspace';
import { schema } from './definitions.ts';

export type Store = Keyspace;

export interface StoreOptions {
  readonly path: string;
  /** Whether a missing database is created, which is the default. */
  readonly create?: boolean;
}

const migrations = {
  versionKey: 'meta/schema_version',
  steps: [{ version: 1, description: 'the layout of the seed', step: () => Promise.resolve(undefined) }],
} as const;

export async function openStore({ path, create = true }: StoreOptions): Promise<Store> {
  const engine = await sqliteEngine({ path, create });
  try {
    return await openKeyspace({ engine, schema, migrations });
  } catch (error) {
    await engine.close();
    throw error;
  }
}
