import { type CommandSpec, defineCommand } from '@holdfast/cli';

import { shared } from './shared.ts';

const path = { name: 'path', summary: 'Path in the notebook' } as const;

/** Commands that change nothing. */
export const looking: readonly CommandSpec[] = [
  defineCommand({
    name: 'ls',
    summary: 'Show the files of a notebook or of a folder',
    arguments: [{ name: 'path', summary: 'Only below this folder, or this file', optional: true }],
    options: { limit: { type: 'integer', summary: 'How many at most', default: 1_000, min: 1 } },
    inherits: shared,
    load: () => import('../commands/ls.ts'),
  }),
  defineCommand({
    name: 'cat',
    summary: 'Print a file, as it is or as it was at a commit',
    arguments: [path],
    options: { at: { type: 'string', summary: 'The commit', value: 'commit' } },
    inherits: shared,
    load: () => import('../commands/cat.ts'),
  }),
  defineCommand({
    name: 'history',
    summary: 'Show the commits of a file, or of the whole notebook',
    arguments: [{ ...path, optional: true }],
    options: { limit: { type: 'integer', summary: 'How many at most', default: 50, min: 1 } },
    inherits: shared,
    load: () => import('../commands/history.ts'),
  }),
  defineCommand({
    name: 'diff',
    summary: 'Show what a commit changed in a file, or the difference between two',
    arguments: [
      path,
      { name: 'to', summary: 'The commit; the last one of the file if left out', optional: true },
      { name: 'from', summary: 'Compare with this one', optional: true },
    ],
    inherits: shared,
    load: () => import('../commands/diff.ts'),
  }),
];
