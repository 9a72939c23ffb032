import type { CommandSpec } from '@holdfast/cli';
import { STATUSES, SYMBOL_BY_STATUS } from '../model/plan.ts';
import type { OutputOf } from '@holdfast/operation';
import {
  addTasks,
  claimTask,
  deleteTask,
  findTasks,
  listTasks,
  moveTask,
  releaseTask,
  updateTasks,
} from '../operations/tasks.ts';
import { taskBatches, updateBatches } from './batches.ts';
import { printChange, printTasks } from './print.ts';
import { command } from './command.ts';

const completeTask = async () => ({ complete: (await import('./complete.ts')).completeTask });
const repeatedText = { type: 'string', multiple: true } as const;

const add = command(addTasks, {
  name: 'a',
  aliases: ['add'],
  omit: ['tasks'],
  options: {
    title: { ...repeatedText, short: 't', summary: 'Title of a task, or - for standard input', required: true },
    description: { ...repeatedText, short: 'd', summary: 'Description of that task, or - for standard input' },
    after: { ...repeatedText, summary: 'Task that must be done before this one', value: 'id', complete: completeTask },
  },
  short: { reason: 'r' },
  prepare: async (input, context) => ({ ...input, tasks: await taskBatches(context) }),
  examples: [
    { command: 'np t a -t "Write test" -d "for #12" -t "Fix" -d "in src/a.ts"', summary: 'Add two tasks' },
    { command: 'np t a -t "Release" --after a1b2c3 --after d4e5f6', summary: 'Add a task that depends on two others' },
  ],
  print: printChange,
});

const update = command(updateTasks, {
  name: 'u',
  aliases: ['update'],
  description:
    'Each -i names a task, and the options after it apply to this task. A new title or description, and the statuses ' +
    'failed and cancelled, require a reason. If you give only one reason, it applies to every task that needs a ' +
    'reason.',
  omit: ['updates'],
  options: {
    id: {
      ...repeatedText,
      short: 'i',
      summary: 'Id of a task, or a unique prefix',
      required: true,
      complete: completeTask,
    },
    status: { ...repeatedText, short: 's', summary: 'New status', choices: STATUSES },
    title: { ...repeatedText, short: 't', summary: 'New title, or - for standard input' },
    description: { ...repeatedText, short: 'd', summary: 'New description, or - for standard input' },
    reason: { ...repeatedText, short: 'r', summary: 'Reason for the change' },
    note: { ...repeatedText, short: 'n', summary: 'Note to add to the task, or - for standard input' },
    ifVersion: {
      type: 'integer',
      multiple: true,
      summary: 'Update only if the task still has this version',
      value: 'n',
    },
  },
  prepare: async (input, context) => ({ ...input, updates: await updateBatches(context) }),
  examples: [
    {
      command: 'np t u -i a1b2c3 -s completed -i d4e5f6 -s in_progress',
      summary: 'Complete a task and start the next one',
    },
    { command: 'np t u -i a1b2c3 -s failed -r "no access to the server"', summary: 'Mark a task as failed' },
  ],
  print: printChange,
});

const move = command(moveTask, {
  name: 'mv',
  aliases: ['move'],
  arguments: ['id'],
  short: { reason: 'r' },
  complete: { id: completeTask, before: completeTask, after: completeTask },
  print: printChange,
});

const remove = command(deleteTask, {
  name: 'rm',
  aliases: ['delete'],
  arguments: ['id'],
  short: { reason: 'r' },
  complete: { id: completeTask },
  print: (answer, page) => {
    if (answer.plan === undefined) page.line(`Deleted ${answer.tasks[0]?.id}.`);
    printChange({ ...answer, tasks: [] }, page);
  },
});

const claim = command(claimTask, {
  name: 'claim',
  arguments: ['id'],
  short: { reason: 'r' },
  complete: { id: completeTask },
  examples: [
    { command: 'np t claim a1b2c3 --actor ada --for 30m', summary: 'Claim a task for half an hour' },
    { command: 'np t claim a1b2c3 --actor bob --takeover -r "ada is gone"', summary: 'Take a task over' },
  ],
  print: printChange,
});

const release = command(releaseTask, {
  name: 'release',
  arguments: ['id'],
  short: { reason: 'r' },
  complete: { id: completeTask },
  print: printChange,
});

const ready = {
  ...command(listTasks, {
    name: 'ready',
    fixed: { ready: true },
    omit: ['status'],
    print: ({ tasks }, page) => {
      if (tasks.length === 0) page.line('No task can be started now.');
      else printTasks(tasks, page);
    },
  }),
  summary: 'List the tasks that can be started now',
};

const find = command(findTasks, {
  name: 'find',
  without: ['session', 'dir', 'actor'],
  arguments: ['words'],
  short: { limit: 'n' },
  print: (found, page) => {
    if (found.length === 0) page.line('No task contains all of these words.');
    else page.table(found, FOUND_COLUMNS);
  },
});

type Found = OutputOf<typeof findTasks>[number];

const FOUND_COLUMNS = [
  { heading: '', value: ({ task }: Found) => SYMBOL_BY_STATUS[task.status] },
  { heading: 'TASK', value: ({ task }: Found) => task.id },
  { heading: 'TITLE', value: ({ task }: Found) => task.title, flexible: true },
  { heading: 'SESSION', value: ({ session }: Found) => session.sid },
  { heading: 'DIRECTORY', value: ({ session }: Found) => session.dir_path, flexible: true },
] as const;

export const searchCommands: readonly CommandSpec[] = [ready, find];

export const taskCommand: CommandSpec = {
  ...command(listTasks, {
    name: 't',
    aliases: ['task'],
    short: { status: 's' },
    print: ({ tasks }, page, { options: { status } }) => {
      if (tasks.length === 0 && status !== undefined) page.line(`No tasks are ${status as string}.`);
      else printTasks(tasks, page);
    },
  }),
  commands: [add, update, move, remove, claim, release],
};
