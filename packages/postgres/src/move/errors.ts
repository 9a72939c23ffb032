import { defineErrors } from '@holdfast/base';

export const moveErrors = defineErrors({
  MOVE_IMPOSSIBLE: {
    kind: 'usage',
    means: 'The database cannot move there.',
    hint: 'np, audiobooks and accounts can move to postgres://USER@HOST/DATABASE, and back with --to sqlite.',
  },
  MOVE_TARGET_IN_USE: {
    kind: 'conflict',
    means: 'The destination of the move already contains other data. Nothing was changed.',
    hint:
      'To move to PostgreSQL, choose another database, or add ?installation=NAME to the address. To move to a file, ' +
      'first move the existing file elsewhere.',
  },
  MOVE_DIFFERS: {
    kind: 'failed',
    means: 'The copy differs from the database, or the database has problems. The database stays where it is.',
    hint: 'Run `holdfast verify <db> --repair`, then repeat the move.',
  },
});
