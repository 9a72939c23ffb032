import { type CommandSpec, defineCommand } from '@holdfast/cli';

import { shared } from './shared.ts';

/** Commands for those who write notes, and for agents who do. */
export const writing: readonly CommandSpec[] = [
  defineCommand({
    name: 'new',
    summary: 'Make a note from its title, a path or a template',
    arguments: [{ name: 'title', summary: 'What it is called', optional: true }],
    options: {
      template: { type: 'string', summary: 'Name or path of a template', short: 't', value: 'template' },
      path: { type: 'string', summary: 'Where; a free name made from the title if left out', value: 'path' },
    },
    inherits: shared,
    examples: [
      { command: "holdfast codex new 'Boiling point' -t experiment", summary: 'From templates/experiment.md' },
    ],
    load: () => import('../commands/new.ts'),
  }),
  defineCommand({
    name: 'daily',
    summary: 'Show where the note of a day is; make it when it is missing',
    arguments: [{ name: 'date', summary: 'As 2026-01-31; today if left out', optional: true }],
    inherits: shared,
    examples: [{ command: 'vi "$(holdfast codex daily)"', summary: 'Write into the note of today' }],
    load: () => import('../commands/daily.ts'),
  }),
  defineCommand({
    name: 'links',
    summary: 'Show where a note leads, and what leads to it',
    arguments: [{ name: 'path', summary: 'Path in the notebook' }],
    inherits: shared,
    load: () => import('../commands/links.ts'),
  }),
  defineCommand({
    name: 'unresolved',
    summary: 'Show the links that lead nowhere',
    options: { limit: { type: 'integer', summary: 'How many at most', default: 200, min: 1 } },
    inherits: shared,
    load: () => import('../commands/unresolved.ts'),
  }),
  defineCommand({
    name: 'mcp',
    summary: 'Serve notebooks to an agent over standard input and output',
    description: 'Seven tools of the Model Context Protocol: list, read, write, move, search, history and wait.',
    inherits: shared,
    load: () => import('../commands/mcp.ts'),
  }),
];
