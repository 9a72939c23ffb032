/** Fields and reasons that operations of several nouns share. */
import {
  boolean,
  choice,
  integer,
  json,
  list,
  nullable,
  number,
  object,
  operationsOf,
  optional,
  text,
} from '@holdfast/operation';

import { failureClasses } from '../model/attempt.ts';
import { priorities, taskStatuses, taskTypes } from '../model/task.ts';
import type { Ringmaster } from '../service/ringmaster.ts';

export const defineOperation = operationsOf<Ringmaster>();

export const READ = 'app:ringmaster:read';
export const WRITE = 'app:ringmaster:write';
/** Project settings name commands that run on this machine, so they need more than write access. */
export const MANAGE = 'app:ringmaster:admin';

/** Why most operations are not tools. */
export const NOT_A_TOOL = 'Every tool costs an agent attention in each turn; workers need only the queue';
export const LOCAL_FILES = 'Reads or writes files and directories of this machine';
export const PEOPLE_ONLY = { mcp: NOT_A_TOOL } as const;

export const project = optional(text('Project, if there are several', { label: 'id' }));
export const taskId = (summary = 'Task id') => text(summary, { min: 1, label: 'task' });
export const priority = choice(priorities, 'P0 is urgent, P4 can wait');

/** A complete list in the shape of a page. */
export function allOf<Item>(data: readonly Item[]): { readonly data: readonly Item[]; readonly next_cursor: null } {
  return { data, next_cursor: null };
}

type Lists<Input, Item> = (rm: Ringmaster, input: Input) => readonly Item[] | Promise<readonly Item[]>;

/** Loads a service that returns all items at once. */
export function listed<Input, Item>(load: () => Promise<Lists<Input, Item>>) {
  return async () => {
    const all = await load();
    return async (rm: Ringmaster, input: Input) => allOf(await all(rm, input));
  };
}

export const maybeText = nullable(text());

const sharedTaskFields = {
  id: text(),
  project_id: text(),
  parent_id: maybeText,
  type: choice(taskTypes),
  title: text(),
  priority: choice(priorities),
  status: choice(taskStatuses),
  worker_id: maybeText,
  attempts: integer(),
  combined_priority: number(),
  blocked_reason: maybeText,
  last_failure: maybeText,
  updated_at: text(),
  version: integer(),
} as const;

export const taskObject = object({
  ...sharedTaskFields,
  description: maybeText,
  max_attempts: integer(),
  failures: integer(),
  created_at: text(),
  started_at: maybeText,
  completed_at: maybeText,
  defer_until: maybeText,
  next_eligible_at: maybeText,
});

export const listedTask = object({
  ...sharedTaskFields,
  on_critical_path: boolean(),
  is_ready: boolean('False for a ready task that waits for others'),
  merge_state: nullable(choice(['merged', 'pending', 'unmerged'], 'Of its work; null if it has no branch')),
  may_become: list(choice(taskStatuses), { summary: 'Statuses that a person may set' }),
});

export const attemptObject = object({
  id: integer('The token of the attempt'),
  task_id: text(),
  worker_id: text(),
  number: integer(),
  started_at: text(),
  heartbeat_at: text(),
  lease_expires_at: text(),
  ended_at: maybeText,
  outcome: maybeText,
  failure_class: nullable(choice(failureClasses)),
  reason: maybeText,
  progress: maybeText,
  cancel_requested_at: maybeText,
});

export const inquiryObject = object({
  task_id: text('Id of the inquiry, which is itself a task'),
  about_id: text(),
  about_title: text(),
  type: choice(['decision', 'question']),
  title: text(),
  context: maybeText,
  options: list(text()),
  recommendation: maybeText,
  urgency: text(),
  default_answer: maybeText,
  answer: maybeText,
  answered_by: maybeText,
  answered_at: maybeText,
});

export const eventObject = object({
  id: integer(),
  event_type: text(),
  entity_type: text(),
  entity_id: text(),
  created_at: text(),
  actor_type: text(),
  actor_id: maybeText,
  data: json(),
  before: json(),
  after: json(),
});
