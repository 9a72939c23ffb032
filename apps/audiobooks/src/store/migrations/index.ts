import type { KeyspaceMigrations } from '@holdfast/keyspace';
import { changeLayout } from './layout.ts';
import { countByLibrary } from './library-counts.ts';
import { numberEvents } from './listening.ts';
import { introduceWorks } from './works.ts';

/**
 * Version 1 is the seed's layout before works, 2 the one with them (its 1.1.0), 3 ours, 4 knows what is in each library, 5
 * counts listening.
 */
export const migrations: KeyspaceMigrations = {
  versionKey: 'meta:version',
  recordKey: 'mig:{version:d10}',
  steps: [
    { version: 1, description: 'the layout of the seed', step: () => Promise.resolve(undefined) },
    introduceWorks,
    changeLayout,
    countByLibrary,
    numberEvents,
  ],
};
