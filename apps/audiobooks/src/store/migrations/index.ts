import type { KeyspaceMigrations } from '@holdfast/keyspace';
import { changeLayout } from './layout.ts';
import { countByLibrary } from './library-counts.ts';
import { numberEvents } from './listening.ts';
import { introduceWorks } from './works.ts';

/**
 * Layout versions: 1 the design document before works, 2 with works (its 1.1.0), 3 our own, 4 adds counts per library,
 * 5 counts listening.
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
