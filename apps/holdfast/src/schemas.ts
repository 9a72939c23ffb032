import type { Schema } from '@holdfast/keyspace';

import type { DatabaseName } from './databases.ts';

/** The schema of each named keyspace, loaded only when a command has to know it. */
const loaders: Partial<Record<DatabaseName, () => Promise<Schema>>> = {
  audiobooks: async () => (await import('@holdfast/audiobooks')).schema,
  np: async () => (await import('@holdfast/np')).schema,
  accounts: async () => (await import('@holdfast/accounts')).accountsSchema,
};

export function loadSchema(name: DatabaseName | undefined): Promise<Schema> | undefined {
  return name === undefined ? undefined : loaders[name]?.();
}
