import { defineCommand } from '@holdfast/cli';
import { sharedOptions } from './shared.ts';
import { filterOptions, prefix } from './arguments.ts';

const inherits = sharedOptions;

export const reading = [
  defineCommand({
    name: 'ls',
    aliases: ['list'],
    summary: 'List tasks, oldest first',
    arguments: [
      { name: 'words', summary: 'Only tasks with all of these in their text', optional: true, variadic: true },
    ],
    options: {
      ...filterOptions,
      open: { type: 'boolean', summary: 'Only tasks that are not done' },
      done: { type: 'boolean', summary: 'Only tasks that are done' },
      status: {
        type: 'string',
        summary: 'open or closed, as upstream calls it',
        choices: ['open', 'closed'],
        hidden: true,
      },
      limit: { type: 'integer', summary: 'How many at most', short: 'n', min: 1 },
      sort: { type: 'string', summary: 'The order', choices: ['created', 'newest', 'text'], default: 'created' },
    },
    inherits,
    examples: [
      { command: 'ut ls --open milk', summary: 'What is still to be done about milk' },
      { command: 'ut ls --all urgent,work', summary: 'Tasks that have both tags' },
      { command: 'ut ls --open --json', summary: 'For a program' },
    ],
    load: () => import('../commands/list.ts'),
  }),
  defineCommand({
    name: 'show',
    aliases: ['get'],
    summary: 'Show everything about a task',
    arguments: [prefix],
    inherits,
    load: () => import('../commands/show.ts'),
  }),
  defineCommand({
    name: 'tags',
    summary: 'List the tags and how many tasks have them',
    inherits,
    load: () => import('../commands/tags.ts'),
  }),
  defineCommand({
    name: 'log',
    summary: 'Show what a task was before, also a deleted one',
    arguments: [prefix],
    inherits,
    load: () => import('../commands/log.ts'),
  }),
  defineCommand({
    name: 'watch',
    summary: 'Show changes as they happen, from everybody',
    inherits,
    examples: [{ command: 'ut watch --json', summary: 'One document per change' }],
    load: () => import('../commands/watch.ts'),
  }),
] as const;
