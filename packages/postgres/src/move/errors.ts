import { defineErrors } from '@holdfast/base';

export const moveErrors = defineErrors({
  MOVE_IMPOSSIBLE: {
    kind: 'usage',
    means: 'The database cannot move there.',
    hint: 'np, audiobooks and accounts can move to postgres://USER@HOST/DATABASE, and back with --to sqlite.',
  },
  MOVE_TARGET_IN_USE: {
    kind: 'conflict',
    means: 'The store to which the database should move already contains other data. Nothing was changed.',
    hint: 'Choose another PostgreSQL database, add ?installation=NAME to the address, or put the file elsewhere.',
  },
  MOVE_DIFFERS: {
    kind: 'failed',
    means: 'The copy differs from the database, or the database has problems. The database stays where it is.',
    hint: 'Run `holdfast verify <db> --repair`, then repeat the move.',
  },
});
