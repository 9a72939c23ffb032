import { defineErrors } from './errors.ts';

/** Shared by everything that has a schema to bring up to date, tables and keys alike. */
export const schemaErrors = defineErrors({
  SCHEMA_NEWER: {
    kind: 'unavailable',
    means: 'The database was written by a newer version of the program.',
    hint: 'Upgrade this program; an older one could damage what it does not understand.',
  },
  MIGRATION_FAILED: {
    kind: 'failed',
    means: 'A schema migration failed. Its step was rolled back whole; the database is as it was before that step.',
    hint: 'The cause says why. Repeat after correcting it: finished steps are not run again.',
  },
});
