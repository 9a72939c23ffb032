import { defineCommand } from '@holdfast/cli';
import { sharedOptions } from './shared.ts';
import { filterOptions } from './arguments.ts';

const inherits = sharedOptions;
const group = 'Look after it';
const choices = ['json', 'taskwarrior', 'todotxt'] as const;

export const keeping = [
  defineCommand({
    name: 'check',
    group,
    summary: 'Compare the tag lists with the tasks; exit code 1 if they differ',
    inherits,
    load: () => import('../commands/check.ts'),
  }),
  defineCommand({
    name: 'rebuild-index',
    group,
    summary: 'Make the tag lists what the tasks say, also while others write',
    inherits,
    load: () => import('../commands/rebuild-index.ts'),
  }),
  defineCommand({
    name: 'gc',
    group,
    summary: 'Forget deleted tasks and empty tag lists for good',
    options: { olderThan: { type: 'number', summary: 'Deleted so many days ago', value: 'days', default: 1, min: 0 } },
    inherits,
    load: () => import('../commands/gc.ts'),
  }),
  defineCommand({
    name: 'import',
    group,
    summary: 'Add the tasks of a file: our JSON, Taskwarrior or todo.txt',
    description: 'Importing a file again adds what is new in it, and no task twice.',
    arguments: [{ name: 'file', summary: 'The file; - for standard input', complete: 'file' }],
    options: {
      format: { type: 'string', summary: 'What it is; found out if left out', choices },
      overwrite: { type: 'boolean', summary: 'Replace tasks that are there and different' },
    },
    inherits,
    examples: [{ command: 'task export | ut import -', summary: 'From Taskwarrior' }],
    load: () => import('../commands/import.ts'),
  }),
  defineCommand({
    name: 'export',
    group,
    summary: 'Print the tasks as a file: our JSON, Taskwarrior or todo.txt',
    options: {
      format: { type: 'string', summary: 'What to print', choices, default: 'json' },
      ...filterOptions,
    },
    inherits,
    examples: [{ command: 'ut export --format taskwarrior | task import', summary: 'To Taskwarrior' }],
    load: () => import('../commands/export.ts'),
  }),
  defineCommand({
    name: 'move',
    group,
    summary: 'Copy all tasks to a NATS server, or back to this machine',
    description: 'Nothing is taken away where it was. A copy that was cut off goes on when it is repeated.',
    options: {
      to: {
        type: 'string',
        summary: 'nats://host:4222, or "embedded" for this machine',
        value: 'place',
        required: true,
      },
      toProfile: { type: 'string', summary: 'The task list there, if it is another', value: 'name' },
      overwrite: { type: 'boolean', summary: 'Replace tasks that are there and different' },
    },
    inherits,
    examples: [{ command: 'ut move --to nats://127.0.0.1:4222', summary: 'Share what was kept on one machine' }],
    load: () => import('../commands/move.ts'),
  }),
] as const;
