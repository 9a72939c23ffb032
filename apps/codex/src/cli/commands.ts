import { type CommandSpec, defineCommand } from '@holdfast/cli';

import { changing } from './spec/changing.ts';
import { finding } from './spec/finding.ts';
import { looking } from './spec/looking.ts';
import { notebooks } from './spec/notebooks.ts';
import { queue } from './spec/queue.ts';
import { shared } from './spec/shared.ts';
import { writing } from './spec/writing.ts';

/** What codex adds to the holdfast command. */
export const codexCommands: readonly CommandSpec[] = [
  defineCommand({
    name: 'codex',
    summary: 'Notebooks of plain files with a queue of operations and git history',
    description:
      'Operations go through a durable queue. A running server works through it; without one, the command does it ' +
      'itself. Without --notebook the notebook around the current folder is meant, or the only one.',
    group: 'Applications',
    sharedOptions: shared,
    commands: [notebooks, ...changing, ...writing, ...looking, ...finding, ...queue],
    examples: [
      { command: 'holdfast codex notebook add notes', summary: 'A notebook below the data home' },
      { command: "holdfast codex write today.md --content 'Hello'", summary: 'A file in it, committed to git' },
      { command: 'holdfast codex history today.md', summary: 'What happened to it' },
    ],
  }),
];
