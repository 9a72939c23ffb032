/**
 * Definitions shared by operations on different kinds of objects: fields, permissions, and reasons why an operation
 * lacks a face.
 */
import * as f from '@holdfast/operation';

import { failureClasses } from '../model/attempt.ts';
import { priorities, taskStatuses, taskTypes } from '../model/task.ts';
import type { Ringmaster } from '../service/ringmaster.ts';

export const defineOperation = f.operationsOf<Ringmaster>();

export const READ = 'app:ringmaster:read';
export const WRITE = 'app:ringmaster:write';
/** Permission to change project settings. They contain commands that run on this machine. */
export const MANAGE = 'app:ringmaster:admin';

/** Why most operations are not tools. */
export const NOT_A_TOOL = "Every tool takes up part of an agent's context; workers need only the queue";
export const LOCAL_FILES = 'Reads or writes files and directories on this machine';
export const PEOPLE_ONLY = { mcp: NOT_A_TOOL } as const;

export const project = f.optional(f.text('Project id; required if there are several projects', { label: 'id' }));
export const taskId = (summary = 'Task id') => f.text(summary, { min: 1, label: 'task' });
export const priority = f.choice(priorities, 'Priority from P0 (urgent) to P4 (can wait)');

export const labelFilter = f.optionalList(
  f.text('Only tasks with this label; repeat to require several labels', { min: 1, max: 200 }),
  {
    max: 20,
  },
);

/** Returns a complete list as a single page. */
export function allOf<Item>(data: readonly Item[]): { readonly data: readonly Item[]; readonly next_cursor: null } {
  return { data, next_cursor: null };
}

type Lists<Input, Item> = (rm: Ringmaster, input: Input) => readonly Item[] | Promise<readonly Item[]>;

/** Loads a service that returns all items at once, and returns its result as a page. */
export function listed<Input, Item>(load: () => Promise<Lists<Input, Item>>) {
  return async () => {
    const all = await load();
    return async (rm: Ringmaster, input: Input) => allOf(await all(rm, input));
  };
}

export const maybeText = f.nullable(f.text());

const sharedTaskFields = {
  id: f.text(),
  project_id: f.text(),
  parent_id: maybeText,
  type: f.choice(taskTypes),
  title: f.text(),
  priority: f.choice(priorities),
  status: f.choice(taskStatuses),
  worker_id: maybeText,
  attempts: f.integer(),
  combined_priority: f.number(),
  blocked_reason: maybeText,
  last_failure: maybeText,
  updated_at: f.text(),
  version: f.integer(),
} as const;

export const taskObject = f.object({
  ...sharedTaskFields,
  description: maybeText,
  max_attempts: f.integer(),
  failures: f.integer(),
  created_at: f.text(),
  started_at: maybeText,
  completed_at: maybeText,
  defer_until: maybeText,
  next_eligible_at: maybeText,
});

export const listedTask = f.object({
  ...sharedTaskFields,
  on_critical_path: f.boolean(),
  is_ready: f.boolean('False if the task waits for others, even if its status is ready'),
  merge_state: f.nullable(
    f.choice(['merged', 'pending', 'unmerged'], 'Merge state of the work; null if the task has no branch'),
  ),
  labels: f.list(f.text()),
  deleted_at: maybeText,
  cost_usd: f.nullable(f.number('Cost that agents reported for the task')),
  tokens: f.nullable(f.integer('Tokens that agents reported for the task, including cached ones')),
  may_become: f.list(f.choice(taskStatuses), { summary: 'Statuses that a person may give this task now' }),
});

export const attemptObject = f.object({
  id: f.integer('The token of the attempt'),
  task_id: f.text(),
  worker_id: f.text(),
  number: f.integer(),
  started_at: f.text(),
  heartbeat_at: f.text(),
  lease_expires_at: f.text(),
  ended_at: maybeText,
  outcome: maybeText,
  failure_class: f.nullable(f.choice(failureClasses)),
  reason: maybeText,
  progress: maybeText,
  cancel_requested_at: maybeText,
});

export const inquiryObject = f.object({
  task_id: f.text('Id of the decision or question, which is itself a task'),
  about_id: f.text(),
  about_title: f.text(),
  type: f.choice(['decision', 'question']),
  title: f.text(),
  context: maybeText,
  options: f.list(f.text()),
  recommendation: maybeText,
  urgency: f.text(),
  default_answer: maybeText,
  answer: maybeText,
  answered_by: maybeText,
  answered_at: maybeText,
});

export const eventObject = f.object({
  id: f.integer(),
  event_type: f.text(),
  entity_type: f.text(),
  entity_id: f.text(),
  created_at: f.text(),
  actor_type: f.text(),
  actor_id: maybeText,
  data: f.json(),
  before: f.json(),
  after: f.json(),
});
