import { defineCommand } from '@holdfast/cli';
import { STATUSES } from '../../model/status.ts';
import { sharedOptions } from './shared.ts';

const complete = () => import('../complete-task.ts');
const reason = { type: 'string', short: 'r', summary: 'Why' } as const;

const add = defineCommand({
  name: 'a',
  aliases: ['add'],
  summary: 'Add tasks, all in one transaction, in the order given',
  options: {
    title: {
      type: 'string',
      short: 't',
      summary: 'Title of a task, or - for standard input',
      multiple: true,
      required: true,
    },
    description: { type: 'string', short: 'd', summary: 'Description of that task, or -', multiple: true },
    reason,
  },
  inherits: sharedOptions,
  examples: [{ command: 'np t a -t "Write test" -d "for #12" -t "Fix" -d "in src/a.ts"', summary: 'Two tasks' }],
  load: () => import('../commands/task-add.ts'),
});

const update = defineCommand({
  name: 'u',
  aliases: ['update'],
  summary: 'Change status, title or description of tasks, all in one transaction',
  description:
    'What follows an -i is for that task. New words, and the statuses failed and cancelled, require a reason; one ' +
    'reason for the whole command is enough.',
  options: {
    id: { type: 'string', short: 'i', summary: 'Id of a task', multiple: true, required: true, complete },
    status: { type: 'string', short: 's', summary: 'New status', choices: STATUSES, multiple: true },
    title: { type: 'string', short: 't', summary: 'New title, or - for standard input', multiple: true },
    description: { type: 'string', short: 'd', summary: 'New description, or -', multiple: true },
    reason: { ...reason, multiple: true },
    ifVersion: { type: 'integer', summary: 'Only if the task has still this version', value: 'n', multiple: true },
  },
  inherits: sharedOptions,
  examples: [
    { command: 'np t u -i a1b2c3 -s completed -i d4e5f6 -s in_progress', summary: 'Go on to the next task' },
    { command: 'np t u -i a1b2c3 -s failed -r "no access to the server"', summary: 'Give up on one' },
  ],
  load: () => import('../commands/task-update.ts'),
});

const id = { name: 'id', summary: 'Id of the task', complete } as const;

const move = defineCommand({
  name: 'mv',
  aliases: ['move'],
  summary: 'Move a task to another place in the plan',
  arguments: [id],
  options: {
    to: { type: 'integer', summary: 'The place, counted from 1', value: 'n', min: 1 },
    before: { type: 'string', summary: 'The task to stand before', value: 'id', complete },
    after: { type: 'string', summary: 'The task to stand after', value: 'id', complete },
    reason,
  },
  inherits: sharedOptions,
  load: () => import('../commands/task-move.ts'),
});

const remove = defineCommand({
  name: 'rm',
  aliases: ['delete'],
  summary: 'Delete a task, which requires a reason; the log keeps it',
  arguments: [id],
  options: { reason },
  inherits: sharedOptions,
  load: () => import('../commands/task-remove.ts'),
});

const claim = defineCommand({
  name: 'claim',
  summary: 'Take a task for one actor, who is then the only one to have it',
  arguments: [id],
  options: {
    actor: { type: 'string', summary: 'Who takes it', value: 'name', env: 'NP_ACTOR', required: true },
    release: { type: 'boolean', summary: 'Give it back instead' },
    reason,
  },
  inherits: sharedOptions,
  load: () => import('../commands/task-claim.ts'),
});

export const taskCommand = defineCommand({
  name: 't',
  aliases: ['task'],
  summary: 'List the tasks',
  options: { status: { type: 'string', short: 's', summary: 'Only those with this status', choices: STATUSES } },
  inherits: sharedOptions,
  commands: [add, update, move, remove, claim],
  load: () => import('../commands/task-list.ts'),
});
