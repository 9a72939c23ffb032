import { type Column, commandLineErrors, defineCommand, style } from '@holdfast/cli';
import type { OutputOf } from '@holdfast/operation';

import { publishTask } from '../operations/pull-requests.ts';
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
  readonly labels?: readonly string[];
  readonly deleted_at?: string | null;
}

export const taskColumns: readonly Column<Row>[] = [
  { heading: 'ID', value: ({ id }) => id },
  { heading: 'PRI', value: ({ priority }) => priority },
  { heading: 'SCORE', value: scoreText, align: 'right' },
  { heading: 'STATUS', value: statusWord },
  { heading: 'TYPE', value: ({ type }) => type },
  {
    heading: 'TITLE',
    value: ({ title, labels = [] }) => [title, ...labels.map((label) => ` [${label}]`)].join(''),
    flexible: true,
  },
];

/** Finished tasks have no score. */
function scoreText({ status, combined_priority }: Row): string {
  return status === 'done' ? '' : combined_priority.toFixed(3);
}

function statusWord({
  type,
  status = 'ready',
  is_ready: isReady = true,
  merge_state: merge,
  deleted_at = null,
}: Row): string {
  if (deleted_at !== null) return 'deleted';
  if (status === 'done' && merge === 'pending') return 'done, merge pending';
  if (status === 'done' && merge === 'unmerged') return 'done, unmerged';
  if (status === 'ready' && (type === 'decision' || type === 'question')) return 'unanswered';
  return status === 'ready' && !isReady ? 'waiting' : status;
}

const complete = { task: completeTask, tasks: completeTask, parent: completeTask, depends_on: completeTask } as const;
const flags = { capabilities: 'capability', labels: 'label', worker_args: 'worker-arg' } as const;
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
      summary: 'Add a subtask that starts when another task is done',
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
    const unanswered = new Set(shown.inquiries.flatMap((one) => (one.answer === null ? one.task_id : [])));
    page.line(style.bold(task.id), ' ', task.title);
    page.fields([
      ['type', task.type],
      ...(task.deleted_at === null ? [] : ([['deleted at', task.deleted_at]] as const)),
      ['status', task.blocked_reason === null ? task.status : `${task.status}: ${task.blocked_reason}`],
      [
        'priority',
        task.status === 'done' ? task.priority : `${task.priority} (score ${task.combined_priority.toFixed(3)})`,
      ],
      ...(task.required_worker === null ? [] : ([['worker', task.required_worker]] as const)),
      ...(task.labels.length === 0 ? [] : ([['labels', task.labels.join(', ')]] as const)),
      ...(task.model === null ? [] : ([['model', task.model]] as const)),
      ...(task.parent_id === null ? [] : ([['part of', task.parent_id]] as const)),
      [
        'depends on',
        dependencies.map(({ id, status }) => `${id} (${unanswered.has(id) ? 'unanswered' : status})`).join(', '),
      ],
      ['blocks', dependents.map(({ id }) => id).join(', ')],
      ['attempts', `${task.attempts} (${task.failures} of at most ${task.max_attempts} failed)`],
      ...(shown.usage.tokens === 0 && shown.usage.usd === 0
        ? []
        : ([['cost', `${shown.usage.usd.toFixed(2)} USD, ${shown.usage.tokens} tokens`]] as const)),
      ...(progress.total === 0 ? [] : ([['parts', `${progress.done} of ${progress.total} done`]] as const)),
    ]);
    for (const reason of shown.held_because) page.line(style.dim(`cannot start: ${reason}`));
    if (task.last_failure !== null) page.line(`last failure: ${task.last_failure}`);
    for (const attempt of shown.attempts) page.line(attemptText(attempt));
    if (shown.iterations.length > 0 || task.output_path !== null) page.line(`log: ringmaster logs ${task.id}`);
    for (const inquiry of shown.inquiries) printInquiry(inquiry, page);
    if (task.description !== null) page.line('\n', task.description);
    for (const { name, text } of shown.beads_fields) page.line('\n', style.bold(name.replaceAll('_', ' ')), '\n', text);
  },
});

type ShownAttempt = OutputOf<typeof operations.showTask>['attempts'][number];

function attemptText({ number, worker_id, outcome, reason, progress, ...attempt }: ShownAttempt): string {
  const state =
    outcome === null
      ? `token ${attempt.id}, lease until ${attempt.lease_expires_at}`
      : `${outcome} at ${attempt.ended_at}`;
  const details = [outcome === null ? progress : reason, includedText(attempt.included)].filter(Boolean);
  return [`attempt ${number} by ${worker_id}: ${state}`, ...details].join('; ');
}

function includedText(tasks: readonly string[]): string {
  return tasks.length === 0 ? '' : `started with the work of ${tasks.join(', ')}`;
}

const list = command(operations.listTasks, {
  name: 'list',
  aliases: ['ls'],
  short: { status: 's', type: 't', limit: 'n', archived: 'a' },
  flags: { labels: 'label' },
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

const remove = command(operations.deleteTasks, {
  name: 'delete',
  aliases: ['rm'],
  arguments: ['tasks'],
  complete,
  print: ({ data }, page, { args }) => {
    page.lines(data.map(({ id, title }) => `Deleted ${id} ${title}`));
    page.line(style.dim(`To undo: ringmaster task restore ${(args['tasks'] as readonly string[]).join(' ')}`));
  },
});

const restore = command(operations.restoreTasks, {
  name: 'restore',
  arguments: ['tasks'],
  print: ({ data }, page) => page.lines(data.map(({ id, title }) => `Restored ${id} ${title}`)),
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
  description: 'If there is a conflict, nothing is merged, a decision is opened, and the exit code is 4.',
  arguments: ['task'],
  complete,
  print: ({ task_id, branch, into, commit }, page) =>
    page.line(`Merged ${branch} of ${task_id} into ${into} as ${commit.slice(0, 10)}`),
});

export const pr = command(publishTask, {
  name: 'pr',
  arguments: ['task'],
  complete,
  examples: [
    { command: 'ringmaster pr bd-a3f8', summary: 'Open the pull request of a task, or update it' },
    { command: 'ringmaster pr --sync', summary: 'Read reviews and merges of all pull requests' },
  ],
  print: ({ data }, page) => page.lines(data.map(({ task_id, url, state }) => `${task_id} ${state} ${url ?? ''}`)),
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

const requestChanges = command(operations.requestChanges, {
  name: 'request-changes',
  arguments: ['task', 'text'],
  flags: { comments: 'comment' },
  complete,
  examples: [
    {
      command: 'ringmaster task request-changes bd-a3f8 --comment "src/login.ts:12: check the length first"',
      summary: 'Request changes with a comment on one line',
    },
  ],
  print: ({ id, status }, page) => page.line(`${id} is ${status}`),
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
    step('block', 'blocked', 'Block tasks because of something outside the task graph'),
    step('review', 'review', 'Mark tasks for review'),
    diff,
    requestChanges,
    cancel,
    remove,
    restore,
  ],
});
