import { defineCommand } from '@holdfast/cli';

import { taskStatuses, taskTypes } from '../../model/task.ts';
import { priorityOption, shared, taskArgument } from './shared.ts';

const details = {
  description: { type: 'string', summary: 'What has to be done; - reads standard input', short: 'd' },
  priority: priorityOption,
  parent: { type: 'string', summary: 'Epic or task that it belongs to', value: 'task' },
  capability: { type: 'string', summary: 'Something its worker must be able to do', short: 'c', multiple: true },
  estimate: { type: 'number', summary: 'How long it takes', value: 'minutes', min: 0 },
  maxAttempts: { type: 'integer', summary: 'Give up after so many failures', value: 'count', min: 1 },
} as const;

const reason = { type: 'string', summary: 'Why', short: 'r' } as const;

const step = (name: string, status: 'ready' | 'draft' | 'done' | 'failed' | 'blocked' | 'review', summary: string) =>
  defineCommand({
    name,
    summary,
    inherits: shared,
    arguments: [{ ...taskArgument, name: 'tasks', variadic: true }],
    options: { reason, to: { type: 'string', summary: 'The state it goes to', default: status, hidden: true } },
    load: () => import('../commands/task-step.ts'),
  });

const add = defineCommand({
  name: 'add',
  aliases: ['create'],
  summary: 'Add a task, an epic or a part of one',
  inherits: shared,
  arguments: [{ name: 'title', summary: 'What to do, in a line' }],
  options: {
    ...details,
    type: { type: 'string', summary: 'What it is', short: 't', choices: ['epic', 'task', 'subtask'] },
    dependsOn: { type: 'string', summary: 'It waits for this task', value: 'task', multiple: true },
    id: { type: 'string', summary: 'Its id, instead of a new one' },
    draft: { type: 'boolean', summary: 'Not to be begun yet' },
  },
  examples: [
    { command: 'ringmaster task add "Sign in" --type epic', summary: 'An epic' },
    { command: 'ringmaster task add "Tokens" --parent bd-a3f8 --depends-on bd-a3f8.1', summary: 'Part of it, later' },
  ],
  load: () => import('../commands/task-add.ts'),
});

const edit = defineCommand({
  name: 'edit',
  summary: 'Change a task',
  inherits: shared,
  arguments: [taskArgument],
  options: {
    ...details,
    title: { type: 'string', summary: 'New title' },
    defer: { type: 'string', summary: 'Not before this moment; an empty text takes it off', value: 'when' },
    version: { type: 'integer', summary: 'Only if it is still at this version' },
  },
  load: () => import('../commands/task-edit.ts'),
});

export const task = defineCommand({
  name: 'task',
  summary: 'Tasks, epics and their parts',
  commands: [
    add,
    defineCommand({
      name: 'show',
      summary: 'Everything about a task',
      inherits: shared,
      arguments: [taskArgument],
      load: () => import('../commands/task-show.ts'),
    }),
    defineCommand({
      name: 'list',
      aliases: ['ls'],
      summary: 'Tasks, the most important first',
      inherits: shared,
      options: {
        status: { type: 'string', summary: 'Only in this state', short: 's', choices: taskStatuses },
        type: { type: 'string', summary: 'Only of this type', short: 't', choices: taskTypes },
        parent: { type: 'string', summary: 'Only parts of this', value: 'task' },
        all: { type: 'boolean', summary: 'Archived ones too', short: 'a' },
        limit: { type: 'integer', summary: 'How many at most', short: 'n', default: 1_000, min: 1 },
      },
      load: () => import('../commands/task-list.ts'),
    }),
    edit,
    step('ready', 'ready', 'Say that tasks may be begun (again)'),
    step('draft', 'draft', 'Say that tasks may not be begun yet'),
    step('done', 'done', 'Say that tasks are done'),
    step('fail', 'failed', 'Say that tasks have failed'),
    step('block', 'blocked', 'Hold tasks up for a reason outside the graph'),
    step('review', 'review', 'Say that somebody has to look at tasks'),
    defineCommand({
      name: 'cancel',
      summary: 'Ask the worker of a task to stop',
      inherits: shared,
      arguments: [taskArgument],
      options: { now: { type: 'boolean', summary: 'Do not ask: take the task away at once' } },
      load: () => import('../commands/task-cancel.ts'),
    }),
  ],
});
