import * as f from '@holdfast/operation';

import { ringmasterErrors } from '../model/errors.ts';
import { taskStatuses, taskTypes } from '../model/task.ts';
import {
  allOf,
  attemptObject,
  defineOperation,
  inquiryObject,
  labelFilter,
  listed,
  listedTask,
  maybeText,
  PEOPLE_ONLY,
  priority,
  project,
  READ,
  taskId,
  taskObject,
  WRITE,
} from './fields.ts';

const { DEPENDENCY_CYCLE, PROJECT_NOT_FOUND, TASK_NOT_FOUND, TASK_RUNNING, TASK_STALE, TASK_STATE, WORKER_NOT_FOUND } =
  ringmasterErrors;

const description = f.optional(f.text('What needs to be done', { max: 65_536 }));
const estimate = f.optional(f.number('Estimated effort in minutes', { min: 0, label: 'minutes' }));
const maxAttempts = f.optional(
  f.integer('Number of failed attempts after which the task fails', { min: 1, label: 'count' }),
);
const capability = f.text('Capability that the worker must have');
const label = (summary: string) => f.text(summary, { max: 200, label: 'label' });
const worker = f.text('Id or type of the worker that must do the task', { max: 200 });
const model = f.text("Model that the task's worker uses", { max: 200 });
const workerArgument = f.text("Additional argument for the task's worker", { max: 4_096 });
const reason = f.optional(f.text('Reason for the change', { max: 10_000 }));

const newTask = {
  title: f.text('One-line title', { min: 1, max: 500 }),
  description,
  project,
  id: f.optional(f.text('Id of the new task; default: generated')),
  parent: f.optional(taskId('Parent epic or task')),
  type: f.optional(
    f.choice(['epic', 'task', 'subtask'], 'Type of the task; default: subtask if the parent is a task, otherwise task'),
  ),
  priority: f.optional(priority),
  depends_on: f.optionalList(taskId('Task that must finish first'), { max: 100 }),
  capabilities: f.optionalList(capability),
  labels: f.optionalList(label('Label'), { max: 100 }),
  worker: f.optional(worker),
  model: f.optional(model),
  worker_args: f.optionalList(workerArgument, { max: 100 }),
  estimate_minutes: estimate,
  max_attempts: maxAttempts,
  draft: f.flag('Add the task as a draft, which does not start'),
} as const;
export type NewTask = f.GivenObject<typeof newTask>;

export const addTask = defineOperation({
  name: 'task.add',
  summary: 'Add a task, an epic or a subtask',
  permission: WRITE,
  input: newTask,
  output: taskObject,
  errors: [PROJECT_NOT_FOUND, TASK_NOT_FOUND, WORKER_NOT_FOUND, DEPENDENCY_CYCLE, ringmasterErrors.ID_TAKEN],
  run: async () => (await import('../service/tasks.ts')).addTask,
});

const link = f.object({ id: f.text(), type: f.text(), title: f.text(), status: f.text(), is_held: f.boolean() });

const shownTask = f.object({
  task: f.object({
    ...taskObject.fields,
    capabilities: f.list(f.text()),
    labels: f.list(f.text()),
    required_worker: maybeText,
    model: maybeText,
    worker_args: f.list(f.text()),
    estimate_minutes: f.nullable(f.number()),
    on_critical_path: f.boolean(),
    deleted_at: maybeText,
    prompt_path: maybeText,
    output_path: maybeText,
    context_hash: maybeText,
  }),
  dependencies: f.list(link),
  dependents: f.list(link),
  children: f.list(f.object({ id: f.text(), title: f.text(), status: f.text() })),
  progress: f.object({ done: f.integer(), total: f.integer() }),
  attempts: f.list(
    f.object({
      ...attemptObject.fields,
      included: f.list(f.text(), { summary: 'Dependencies whose unmerged work the attempt started with' }),
    }),
  ),
  iterations: f.list(
    f.object({
      number: f.integer(),
      attempt_id: f.integer(),
      started_at: f.text(),
      ended_at: maybeText,
      result: maybeText,
      exit_code: f.nullable(f.integer()),
      failure: maybeText,
      output_bytes: f.integer(),
      cost_usd: f.nullable(f.number()),
    }),
  ),
  usage: f.object({ usd: f.number(), tokens: f.integer() }, { summary: 'Cost and tokens that agents reported' }),
  inquiries: f.list(inquiryObject),
  held_because: f.list(f.text(), { summary: 'Why the task cannot start' }),
  comments: f.list({ kind: 'json' }, { summary: 'Comments of the Beads issue from which the task was imported' }),
  beads_fields: f.list(f.object({ name: f.text(), text: f.text() }), {
    summary: 'Texts and dates of the Beads issue that have no field in ringmaster',
  }),
});
export type ShownTask = f.ValueOf<typeof shownTask>;

export const showTask = defineOperation({
  name: 'task.show',
  summary: 'Show all details of a task',
  permission: READ,
  input: { task: taskId() },
  output: shownTask,
  errors: [TASK_NOT_FOUND],
  run: async () => (await import('../service/tasks.ts')).showTask,
});

const taskQuery = {
  ...f.pageFields,
  project,
  status: f.optional(f.choice(taskStatuses, 'Only tasks with this status')),
  type: f.optional(f.choice(taskTypes, 'Only tasks of this type')),
  parent: f.optional(taskId('Only subtasks of this task')),
  labels: labelFilter,
  state: f.withDefault(f.choice(['open', 'done', 'all'], 'Open tasks, done tasks, or both'), 'all'),
  search: f.withDefault(f.text('Only tasks with this text in their title or id', { max: 1_000 }), ''),
  archived: f.flag('Include archived tasks'),
} as const;
export type TaskQuery = f.ObjectValue<typeof taskQuery>;

const taskPage = f.pageOf(listedTask);
export type TaskPage = f.ValueOf<typeof taskPage>;

export const listTasks = defineOperation({
  name: 'task.list',
  summary: 'List tasks, highest score first',
  permission: READ,
  input: taskQuery,
  output: taskPage,
  errors: [PROJECT_NOT_FOUND],
  absent: PEOPLE_ONLY,
  run: async () => (await import('../service/tasks.ts')).listTasks,
});

const taskChanges = {
  task: taskId(),
  title: f.optional(f.text('New title', { min: 1, max: 500 })),
  description,
  priority: f.optional(priority),
  status: f.optional(f.choice(taskStatuses, 'New status')),
  reason,
  parent: f.optional(f.nullable(taskId('Parent epic or task; empty for no parent'))),
  capabilities: f.optional(f.list(capability)),
  labels: f.optional(
    f.list(label('Label; the given labels replace all existing labels, and an empty label removes all'), { max: 100 }),
  ),
  worker: f.optional(f.nullable(worker)),
  model: f.optional(f.nullable(model)),
  worker_args: f.optional(f.list(workerArgument, { max: 100 })),
  estimate_minutes: estimate,
  max_attempts: maxAttempts,
  defer_until: f.optional(
    f.nullable(f.time('Do not start the task before this time; an empty text removes the limit')),
  ),
  version: f.optional(f.integer('Change the task only if it still has this version')),
} as const;
export type TaskChanges = f.GivenObject<typeof taskChanges>;

export const editTask = defineOperation({
  name: 'task.edit',
  summary: 'Change a task',
  permission: WRITE,
  input: taskChanges,
  output: taskObject,
  errors: [
    TASK_NOT_FOUND,
    WORKER_NOT_FOUND,
    TASK_STALE,
    TASK_STATE,
    TASK_RUNNING,
    DEPENDENCY_CYCLE,
    ringmasterErrors.TASK_DELETED,
  ],
  absent: PEOPLE_ONLY,
  run: async () => (await import('../service/tasks.ts')).editTask,
});

const statusChange = {
  tasks: f.list(taskId(), { min: 1, max: 1_000 }),
  status: f.choice(['ready', 'draft', 'done', 'failed', 'blocked', 'review'], 'New status'),
  reason,
} as const;
export type StatusChange = f.GivenObject<typeof statusChange>;

export const setTaskStatus = defineOperation({
  name: 'task.set_status',
  summary: 'Set the status of several tasks; if one change is refused, nothing is changed',
  permission: WRITE,
  input: statusChange,
  output: f.pageOf(taskObject),
  errors: [TASK_NOT_FOUND, TASK_STATE, TASK_RUNNING],
  absent: PEOPLE_ONLY,
  run: listed(async () => (await import('../service/tasks.ts')).setTaskStatus),
});

const chosenTasks = { tasks: f.list(taskId(), { min: 1, max: 1_000 }) } as const;

export const deleteTasks = defineOperation({
  name: 'task.delete',
  summary: "Delete tasks and their parts; 'ringmaster task restore' restores them",
  description: 'If a worker holds one of these tasks, or an unfinished task depends on one, nothing is deleted.',
  permission: WRITE,
  input: chosenTasks,
  output: f.pageOf(taskObject),
  errors: [TASK_NOT_FOUND, TASK_RUNNING, ringmasterErrors.TASK_NEEDED, ringmasterErrors.TASK_DELETED],
  absent: PEOPLE_ONLY,
  run: listed(async () => (await import('../service/delete-task.ts')).deleteTasks),
});

export const restoreTasks = defineOperation({
  name: 'task.restore',
  summary: 'Restore deleted tasks with their parts and dependencies',
  permission: WRITE,
  input: chosenTasks,
  output: f.pageOf(taskObject),
  errors: [TASK_NOT_FOUND, TASK_STATE, ringmasterErrors.TASK_DELETED],
  absent: PEOPLE_ONLY,
  run: listed(async () => (await import('../service/delete-task.ts')).restoreTasks),
});

export const cancelTask = defineOperation({
  name: 'task.cancel',
  summary: 'Ask the worker of a task to stop, including all processes that the worker started',
  permission: WRITE,
  input: { task: taskId(), now: f.flag('Take the task from the worker at once instead of asking the worker to stop') },
  output: taskObject,
  errors: [TASK_NOT_FOUND, TASK_STATE],
  absent: PEOPLE_ONLY,
  run: async () => (await import('../service/tasks.ts')).cancelTask,
});

export const mergeTask = defineOperation({
  name: 'task.merge',
  summary: "Merge a task's work into the branch of its project",
  description: 'If there is a conflict, nothing is merged and a decision is opened.',
  permission: WRITE,
  input: {
    task: taskId(),
    into: f.optional(f.text('Target branch; default: the branch that is checked out', { label: 'branch' })),
  },
  output: f.object({ task_id: f.text(), branch: f.text(), into: f.text(), commit: f.text() }),
  errors: [
    TASK_NOT_FOUND,
    TASK_RUNNING,
    ringmasterErrors.NOTHING_TO_MERGE,
    ringmasterErrors.BRANCH_NOT_FOUND,
    ringmasterErrors.MERGE_CONFLICT,
  ],
  absent: PEOPLE_ONLY,
  run: async () => (await import('../service/merge.ts')).mergeTask,
});

const requestedChanges = {
  task: taskId(),
  text: f.optional(f.text('What to change', { max: 10_000 })),
  comments: f.optionalList(f.text('Comment on a line, as PATH:LINE: TEXT', { min: 1, max: 10_000, label: 'comment' }), {
    max: 500,
  }),
} as const;
export type RequestedChanges = f.GivenObject<typeof requestedChanges>;

export const requestChanges = defineOperation({
  name: 'task.request_changes',
  summary: 'Request changes: return reviewed work to its worker with comments',
  description: 'The task becomes ready. The next worker continues with the same work and gets the comments.',
  permission: WRITE,
  input: requestedChanges,
  output: taskObject,
  errors: [TASK_NOT_FOUND, TASK_STATE, TASK_RUNNING, ringmasterErrors.TEXT_INVALID, ringmasterErrors.TASK_DELETED],
  absent: PEOPLE_ONLY,
  run: async () => (await import('../service/review.ts')).requestChanges,
});

export const diffTask = defineOperation({
  name: 'task.diff',
  summary: 'Show the diff of the running attempt; if none is running, of the last attempt that changed files',
  permission: READ,
  input: { task: taskId() },
  output: f.object({
    attempt: f.integer(),
    branch: f.text(),
    base_commit: f.text(),
    head_commit: maybeText,
    merged_at: maybeText,
    is_live: f.boolean('True if the attempt is still running'),
    files: f.list(f.object({ path: f.text(), added: f.nullable(f.integer()), removed: f.nullable(f.integer()) })),
    patch: f.text(),
    is_cut: f.boolean('True if the patch was too long to show in full'),
  }),
  errors: [TASK_NOT_FOUND, ringmasterErrors.NOTHING_TO_MERGE],
  absent: PEOPLE_ONLY,
  run: async () => (await import('../service/merge.ts')).taskDiff,
});

const logPiece = f.object({ iteration: f.integer(), offset: f.integer(), text: f.text() });

export const readLog = defineOperation({
  name: 'task.log',
  summary: 'Show the worker output of a task: the last turn, or all turns of an attempt',
  permission: READ,
  input: { task: taskId(), attempt: f.optional(f.integer('Number of the attempt', { min: 1, label: 'number' })) },
  output: f.pageOf(logPiece),
  errors: [TASK_NOT_FOUND, ringmasterErrors.LOG_NOT_FOUND],
  absent: PEOPLE_ONLY,
  run: async () => {
    const { readLogs } = await import('../service/logs.ts');
    return (rm, input) => allOf([...readLogs(rm, input)]);
  },
});

const considered = f.list(
  f.object({
    source: f.text(),
    name: f.text(),
    verdict: f.text('Whether the part was used'),
    reason: f.text(),
    score: f.number(),
    tokens: f.integer(),
    bytes: f.integer(),
    sha256: f.nullable(f.text('Hash of the part that was used')),
  }),
  { summary: 'Every part that was considered' },
);

export const assemblePrompt = defineOperation({
  name: 'prompt.assemble',
  summary: 'Show the prompt that a worker would get for a task, and why each part is in it',
  description:
    'Contains the description, project.md, conventions.md, relevant parts of context/ and the code, messages, ' +
    'results of earlier tasks, decisions and failures, within the limits of [prompt] in ringmaster.toml. ringmaster ' +
    'records each assembled prompt.',
  permission: WRITE,
  input: {
    task: taskId(),
    budget_tokens: f.optional(
      f.integer('Maximum length in tokens; default: from ringmaster.toml', { min: 500, label: 'tokens' }),
    ),
  },
  output: f.object({
    task_id: f.text(),
    text: f.text(),
    tokens: f.integer(),
    budget_tokens: f.integer(),
    sha256: f.text(),
    considered,
  }),
  errors: [ringmasterErrors.TASK_NOT_FOUND],
  absent: PEOPLE_ONLY,
  run: async () => (await import('../service/prompt/assemble.ts')).previewPrompt,
});

const promptObject = f.object({
  iteration: f.nullable(f.integer('Null if no worker has received the prompt yet')),
  text: f.text('Empty if no worker has received the prompt yet'),
  purpose: f.nullable(f.text('Whether the prompt was assembled for a run or only to be shown')),
  sha256: maybeText,
  tokens: f.nullable(f.integer()),
  budget_tokens: f.nullable(f.integer()),
  considered,
});
export type RecordedPrompt = f.ValueOf<typeof promptObject>;

export const recordedPrompt = defineOperation({
  name: 'prompt.show',
  summary: 'Show the prompt that a worker got in the last turn, or in a given turn',
  permission: READ,
  input: { task: taskId(), iteration: f.optional(f.integer('Number of the turn', { min: 1, label: 'number' })) },
  output: promptObject,
  errors: [ringmasterErrors.TASK_NOT_FOUND, ringmasterErrors.PROMPT_NOT_FOUND],
  absent: PEOPLE_ONLY,
  run: async () => (await import('../service/prompt/assemble.ts')).recordedPrompt,
});
