import type { KeyspaceMigrations } from '@holdfast/keyspace';

/** Version 1 is the seed's own layout before works; each number here is one release of the layout. */
export const migrations: KeyspaceMigrations = {
  versionKey: 'meta:version',
  recordKey: 'mig:{version:d10}',
  steps: [{ version: 1, description: 'the layout of the seed', step: () => Promise.resolve(undefined) }],
};
