import { type CommandSpec, defineCommand } from '@holdfast/cli';

import { shared } from './shared.ts';

const path = { name: 'path', summary: 'Path in the notebook, for example notes/today.md' } as const;

/** Commands that change files. */
export const changing: readonly CommandSpec[] = [
  defineCommand({
    name: 'write',
    summary: 'Create or replace a file, from --content, --from or standard input',
    arguments: [path],
    options: {
      content: { type: 'string', summary: 'The content', value: 'text' },
      from: { type: 'string', summary: 'Take the content of this file', value: 'file', complete: 'file' },
      new: { type: 'boolean', summary: 'Fail when the file exists' },
      title: { type: 'string', summary: 'What it is called' },
    },
    inherits: shared,
    examples: [{ command: 'date | holdfast codex write log/now.txt', summary: 'From standard input' }],
    load: () => import('../commands/write.ts'),
  }),
  defineCommand({
    name: 'mkdir',
    summary: 'Make a folder and those above it',
    arguments: [path],
    inherits: shared,
    load: () => import('../commands/mkdir.ts'),
  }),
  defineCommand({
    name: 'mv',
    summary: 'Move or rename a file, or a folder with everything in it',
    arguments: [
      { name: 'source', summary: 'What to move' },
      { name: 'target', summary: 'Where it is afterwards; must be free' },
    ],
    options: { keepLinks: { type: 'boolean', summary: 'Leave links in other notes as they are written' } },
    inherits: shared,
    load: () => import('../commands/mv.ts'),
  }),
  defineCommand({
    name: 'rm',
    summary: 'Move a file or folder to the trash',
    arguments: [path],
    inherits: shared,
    examples: [{ command: 'holdfast codex rm old && holdfast codex undelete', summary: 'And back again' }],
    load: () => import('../commands/rm.ts'),
  }),
  defineCommand({
    name: 'undelete',
    summary: 'Bring back what was deleted last, or by a certain event',
    arguments: [
      { name: 'event', summary: 'The event of the delete, as `events` shows it', type: 'integer', optional: true },
    ],
    options: { to: { type: 'string', summary: 'Under this path; where it was if left out', value: 'path' } },
    inherits: shared,
    load: () => import('../commands/undelete.ts'),
  }),
  defineCommand({
    name: 'restore',
    summary: 'Make a file as it was at a commit, as a new change',
    arguments: [path, { name: 'commit', summary: 'As `history` shows it, or HEAD~2' }],
    inherits: shared,
    load: () => import('../commands/restore.ts'),
  }),
];
