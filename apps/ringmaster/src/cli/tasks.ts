import { type Column, commandLineErrors, defineCommand, style } from '@holdfast/cli';

import * as operations from '../operations/tasks.ts';
import { command, completeTask } from './command.ts';
import { printInquiry } from './inquiries.ts';

interface Row {
  readonly id: string;
  readonly title: string;
  readonly type: string;
  readonly priority: string;
  readonly status?: string;
  readonly combined_priority: number;
  readonly is_ready?: boolean;
  readonly merge_state?: string | null;
}

export const taskColumns: readonly Column<Row>[] = [
  { heading: 'ID', value: ({ id }) => id },
  { heading: 'PRI', value: ({ priority }) => priority },
  { heading: 'SCORE', value: ({ combined_priority }) => combined_priority.toFixed(3), align: 'right' },
  { heading: 'STATUS', value: statusWord },
  { heading: 'TYPE', value: ({ type }) => type },
  { heading: 'TITLE', value: ({ title }) => title, flexible: true },
];

function statusWord({ status = 'ready', is_ready: isReady = true, merge_state: merge }: Row): string {
  if (status === 'done' && merge === 'pending') return 'done, merge pending';
  if (status === 'done' && merge === 'unmerged') return 'done, unmerged';
  return status === 'ready' && !isReady ? 'waiting' : status;
}

const complete = { task: completeTask, tasks: completeTask, parent: completeTask, depends_on: completeTask } as const;
const flags = { capabilities: 'capability' } as const;
const short = { description: 'd', capabilities: 'c' } as const;

const add = command(operations.addTask, {
  name: 'add',
  aliases: ['create'],
  arguments: ['title'],
  short: { ...short, type: 't' },
  flags,
  complete,
  stdin: 'description',
  examples: [
    { command: 'ringmaster task add "Sign in" --type epic', summary: 'Add an epic' },
    {
      command: 'ringmaster task add "Tokens" --parent bd-a3f8 --depends-on bd-a3f8.1',
      summary: 'Add a subtask that starts after another one',
    },
  ],
  print: ({ id }, page) => page.line(id),
});

const show = command(operations.showTask, {
  name: 'show',
  arguments: ['task'],
  complete,
  print: (shown, page) => {
    const { task, dependencies, dependents, progress } = shown;
    page.line(style.bold(task.id), ' ', task.title);
    page.fields([
      ['type', task.type],
      ['status', task.blocked_reason === null ? task.status : `${task.status}: ${task.blocked_reason}`],
      ['priority', `${task.priority} (score ${task.combined_priority.toFixed(3)})`],
      ...(task.parent_id === null ? [] : ([['part of', task.parent_id]] as const)),
      ['depends on', dependencies.map(({ id, status }) => `${id} (${status})`).join(', ')],
      ['blocks', dependents.map(({ id }) => id).join(', ')],
      ['attempts', `${task.attempts} (${task.failures} of at most ${task.max_attempts} failed)`],
      ...(progress.total === 0 ? [] : ([['parts', `${progress.done} of ${progress.total} done`]] as const)),
    ]);
    for (const reason of shown.held_because) page.line(style.dim(`cannot start: ${reason}`));
    for (const inquiry of shown.inquiries) printInquiry(inquiry, page);
    if (task.description !== null) page.line('\n', task.description);
  },
});

const list = command(operations.listTasks, {
  name: 'list',
  aliases: ['ls'],
  short: { status: 's', type: 't', limit: 'n', archived: 'a' },
  complete,
  defaults: { limit: 1_000 },
  print: ({ data }, page) => {
    if (data.length === 0) page.line("No tasks match. 'ringmaster task add TITLE' adds one.");
    else page.table(data, taskColumns);
  },
});

const edit = command(operations.editTask, {
  name: 'edit',
  arguments: ['task'],
  short,
  flags: { ...flags, defer_until: 'defer' },
  complete,
  stdin: 'description',
  omit: ['status', 'reason'],
  prepare: (input) => {
    if (Object.keys(input).some((name) => name !== 'task' && name !== 'version')) return input;
    throw commandLineErrors.MISSING_OPTION('Give at least one change: --title, --description, --priority, …');
  },
  print: ({ id, version }, page) => page.line(`${id} is now at version ${version}`),
});

const step = (name: string, status: 'ready' | 'draft' | 'done' | 'failed' | 'blocked' | 'review', summary: string) => ({
  ...command(operations.setTaskStatus, {
    name,
    arguments: ['tasks'],
    short: { reason: 'r' },
    complete,
    fixed: { status },
    print: ({ data }, page) => page.lines(data.map((task) => `${task.id} is ${task.status}`)),
  }),
  summary,
});

export const cancel = command(operations.cancelTask, {
  name: 'cancel',
  arguments: ['task'],
  complete,
  print: ({ id, status }, page, { options }) =>
    page.line(options['now'] === true ? `${id} is ${status}` : `Asked the worker of ${id} to stop`),
});

export const merge = command(operations.mergeTask, {
  name: 'merge',
  description: 'A conflict changes nothing and opens a decision; the exit code is then 4.',
  arguments: ['task'],
  complete,
  print: ({ task_id, branch, into, commit }, page) =>
    page.line(`Merged ${branch} of ${task_id} into ${into} as ${commit.slice(0, 10)}`),
});

const diff = command(operations.diffTask, {
  name: 'diff',
  arguments: ['task'],
  complete,
  print: ({ branch, files, patch, is_cut: isCut }, page) => {
    page.line(style.bold(branch));
    page.lines(files.map(({ path, added, removed }) => `+${added ?? '?'} -${removed ?? '?'} ${path}`));
    page.lines(patch.split('\n'));
    if (isCut) page.line(style.dim('… the rest is not shown'));
  },
});

export const task = defineCommand({
  name: 'task',
  summary: 'Manage tasks, epics and subtasks',
  commands: [
    add,
    show,
    list,
    edit,
    step('ready', 'ready', 'Mark tasks as ready to start, or to start again'),
    step('draft', 'draft', 'Mark tasks as drafts, which do not start'),
    step('done', 'done', 'Mark tasks as done'),
    step('fail', 'failed', 'Mark tasks as failed'),
    step('block', 'blocked', 'Block tasks for a reason outside the graph'),
    step('review', 'review', 'Mark tasks for review'),
    diff,
    cancel,
  ],
});
