import {
  boolean,
  choice,
  flag,
  type GivenObject,
  integer,
  list,
  nullable,
  number,
  object,
  type ObjectValue,
  optional,
  optionalList,
  pageFields,
  pageOf,
  text,
  time,
  type ValueOf,
  withDefault,
} from '@holdfast/operation';

import { ringmasterErrors } from '../model/errors.ts';
import { taskStatuses, taskTypes } from '../model/task.ts';
import {
  allOf,
  attemptObject,
  defineOperation,
  inquiryObject,
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

const { DEPENDENCY_CYCLE, PROJECT_NOT_FOUND, TASK_NOT_FOUND, TASK_RUNNING, TASK_STALE, TASK_STATE } = ringmasterErrors;

const description = optional(text('What needs to be done', { max: 65_536 }));
const estimate = optional(number('Estimated effort', { min: 0, label: 'minutes' }));
const maxAttempts = optional(integer('Give up after this many failures', { min: 1, label: 'count' }));
const capability = text('Capability its worker must have');
const reason = optional(text('Why', { max: 10_000 }));

const newTask = {
  title: text('One-line title', { min: 1, max: 500 }),
  description,
  project,
  id: optional(text('Id instead of a generated one')),
  parent: optional(taskId('Epic or task it belongs to')),
  type: optional(choice(['epic', 'task', 'subtask'], 'Type; default: by its parent')),
  priority: optional(priority),
  depends_on: optionalList(taskId('Task that must finish first'), { max: 100 }),
  capabilities: optionalList(capability),
  estimate_minutes: estimate,
  max_attempts: maxAttempts,
  draft: flag('Do not start it yet'),
} as const;
export type NewTask = GivenObject<typeof newTask>;

export const addTask = defineOperation({
  name: 'task.add',
  summary: 'Add a task, an epic or a subtask',
  permission: WRITE,
  input: newTask,
  output: taskObject,
  errors: [PROJECT_NOT_FOUND, TASK_NOT_FOUND, DEPENDENCY_CYCLE, ringmasterErrors.ID_TAKEN],
  run: async () => (await import('../service/tasks.ts')).addTask,
});

const link = object({ id: text(), type: text(), title: text(), status: text(), is_held: boolean() });

const shownTask = object({
  task: object({
    ...taskObject.fields,
    capabilities: list(text()),
    estimate_minutes: nullable(number()),
    on_critical_path: boolean(),
    prompt_path: maybeText,
    output_path: maybeText,
    context_hash: maybeText,
  }),
  dependencies: list(link),
  dependents: list(link),
  children: list(object({ id: text(), title: text(), status: text() })),
  progress: object({ done: integer(), total: integer() }),
  attempts: list(attemptObject),
  iterations: list(
    object({
      number: integer(),
      attempt_id: integer(),
      started_at: text(),
      ended_at: maybeText,
      result: maybeText,
      exit_code: nullable(integer()),
      failure: maybeText,
      output_bytes: integer(),
      cost_usd: nullable(number()),
    }),
  ),
  inquiries: list(inquiryObject),
  held_because: list(text(), { summary: 'Why it cannot start' }),
  comments: list({ kind: 'json' }, { summary: 'Comments of the Beads issue that the task came from' }),
});
export type ShownTask = ValueOf<typeof shownTask>;

export const showTask = defineOperation({
  name: 'task.show',
  summary: 'Show everything about a task',
  permission: READ,
  input: { task: taskId() },
  output: shownTask,
  errors: [TASK_NOT_FOUND],
  run: async () => (await import('../service/tasks.ts')).showTask,
});

const taskQuery = {
  ...pageFields,
  project,
  status: optional(choice(taskStatuses, 'Only tasks with this status')),
  type: optional(choice(taskTypes, 'Only tasks of this type')),
  parent: optional(taskId('Only parts of this task')),
  state: withDefault(choice(['open', 'done', 'all'], 'Open tasks, done tasks, or both'), 'all'),
  search: withDefault(text('Only tasks with this text in their title or id', { max: 1_000 }), ''),
  archived: flag('Include archived tasks'),
} as const;
export type TaskQuery = ObjectValue<typeof taskQuery>;

const taskPage = pageOf(listedTask);
export type TaskPage = ValueOf<typeof taskPage>;

export const listTasks = defineOperation({
  name: 'task.list',
  summary: 'List tasks, best first',
  permission: READ,
  input: taskQuery,
  output: taskPage,
  errors: [PROJECT_NOT_FOUND],
  absent: PEOPLE_ONLY,
  run: async () => (await import('../service/tasks.ts')).listTasks,
});

const taskChanges = {
  task: taskId(),
  title: optional(text('New title', { min: 1, max: 500 })),
  description,
  priority: optional(priority),
  status: optional(choice(taskStatuses, 'New status')),
  reason,
  parent: optional(nullable(taskId('Epic or task it belongs to; empty: none'))),
  capabilities: optional(list(capability)),
  estimate_minutes: estimate,
  max_attempts: maxAttempts,
  defer_until: optional(nullable(time('Do not start before this time; empty: no limit'))),
  version: optional(integer('Change it only if it still has this version')),
} as const;
export type TaskChanges = GivenObject<typeof taskChanges>;

export const editTask = defineOperation({
  name: 'task.edit',
  summary: 'Change a task',
  permission: WRITE,
  input: taskChanges,
  output: taskObject,
  errors: [TASK_NOT_FOUND, TASK_STALE, TASK_STATE, TASK_RUNNING, DEPENDENCY_CYCLE],
  absent: PEOPLE_ONLY,
  run: async () => (await import('../service/tasks.ts')).editTask,
});

const statusChange = {
  tasks: list(taskId(), { min: 1, max: 1_000 }),
  status: choice(['ready', 'draft', 'done', 'failed', 'blocked', 'review'], 'New status'),
  reason,
} as const;
export type StatusChange = GivenObject<typeof statusChange>;

export const setTaskStatus = defineOperation({
  name: 'task.set_status',
  summary: 'Set the status of several tasks at once: all or, if one is refused, none',
  permission: WRITE,
  input: statusChange,
  output: pageOf(taskObject),
  errors: [TASK_NOT_FOUND, TASK_STATE, TASK_RUNNING],
  absent: PEOPLE_ONLY,
  run: listed(async () => (await import('../service/tasks.ts')).setTaskStatus),
});

export const cancelTask = defineOperation({
  name: 'task.cancel',
  summary: 'Ask the worker of a task to stop, with everything it started',
  permission: WRITE,
  input: { task: taskId(), now: flag('Take the task away at once instead of asking') },
  output: taskObject,
  errors: [TASK_NOT_FOUND, TASK_STATE],
  absent: PEOPLE_ONLY,
  run: async () => (await import('../service/tasks.ts')).cancelTask,
});

export const mergeTask = defineOperation({
  name: 'task.merge',
  summary: "Merge a task's work into the branch of its project",
  description: 'A conflict changes nothing and becomes a decision.',
  permission: WRITE,
  input: { task: taskId(), into: optional(text('Branch; default: the one checked out', { label: 'branch' })) },
  output: object({ task_id: text(), branch: text(), into: text(), commit: text() }),
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

export const diffTask = defineOperation({
  name: 'task.diff',
  summary: 'Show the changes of the last attempt that left work, or of the running one so far',
  permission: READ,
  input: { task: taskId() },
  output: object({
    attempt: integer(),
    branch: text(),
    base_commit: text(),
    head_commit: maybeText,
    merged_at: maybeText,
    is_live: boolean('The attempt is still running'),
    files: list(object({ path: text(), added: nullable(integer()), removed: nullable(integer()) })),
    patch: text(),
    is_cut: boolean('The patch was too long to show completely'),
  }),
  errors: [TASK_NOT_FOUND, ringmasterErrors.NOTHING_TO_MERGE],
  absent: PEOPLE_ONLY,
  run: async () => (await import('../service/merge.ts')).taskDiff,
});

const logPiece = object({ iteration: integer(), offset: integer(), text: text() });

export const readLog = defineOperation({
  name: 'task.log',
  summary: 'Show what the worker of a task printed: the last turn, or all turns of an attempt',
  permission: READ,
  input: { task: taskId(), attempt: optional(integer('Number of the attempt', { min: 1, label: 'number' })) },
  output: pageOf(logPiece),
  errors: [TASK_NOT_FOUND, ringmasterErrors.LOG_NOT_FOUND],
  absent: PEOPLE_ONLY,
  run: async () => {
    const { readLogs } = await import('../service/logs.ts');
    return (rm, input) => allOf([...readLogs(rm, input)]);
  },
});

const considered = list(
  object({
    source: text(),
    name: text(),
    verdict: text('Whether it was used'),
    reason: text(),
    score: number(),
    tokens: integer(),
    bytes: integer(),
    sha256: nullable(text('Hash of the part that was used')),
  }),
  { summary: 'Every part that was considered' },
);

export const assemblePrompt = defineOperation({
  name: 'prompt.assemble',
  summary: 'Show the prompt that a worker would get for a task, and why',
  description:
    'Contains the description, project.md, conventions.md, relevant parts of context/ and of the code, messages, results of ' +
    'earlier tasks, decisions and failures, within the limits of [prompt] in ringmaster.toml. Every assembly is recorded.',
  permission: WRITE,
  input: {
    task: taskId(),
    budget_tokens: optional(integer('Tokens; default: from ringmaster.toml', { min: 500, label: 'tokens' })),
  },
  output: object({
    task_id: text(),
    text: text(),
    tokens: integer(),
    budget_tokens: integer(),
    sha256: text(),
    considered,
  }),
  errors: [ringmasterErrors.TASK_NOT_FOUND],
  absent: PEOPLE_ONLY,
  run: async () => (await import('../service/prompt/assemble.ts')).previewPrompt,
});

const promptObject = object({
  iteration: nullable(integer('Null if no worker got it yet')),
  text: text('Empty if no worker got it yet'),
  purpose: nullable(text('Whether it was assembled to run or only to be shown')),
  sha256: maybeText,
  tokens: nullable(integer()),
  budget_tokens: nullable(integer()),
  considered,
});
export type RecordedPrompt = ValueOf<typeof promptObject>;

export const recordedPrompt = defineOperation({
  name: 'prompt.show',
  summary: 'Show the prompt that a worker got, in the last turn or a given one',
  permission: READ,
  input: { task: taskId(), iteration: optional(integer('Number of the turn', { min: 1, label: 'number' })) },
  output: promptObject,
  errors: [ringmasterErrors.TASK_NOT_FOUND, ringmasterErrors.PROMPT_NOT_FOUND],
  absent: PEOPLE_ONLY,
  run: async () => (await import('../service/prompt/assemble.ts')).recordedPrompt,
});
