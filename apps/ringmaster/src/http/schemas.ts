import { z } from 'zod';

import { priorities, taskStatuses, taskTypes } from '../model/task.ts';

const text = z.string();
const maybeText = z.string().nullable();
const whole = z.int();

export const workspaceSchema = z.object({
  id: text,
  root: text,
  projects: z.array(z.object({ id: text, name: text, description: maybeText })),
  /** Why it cannot be opened; other workspaces are not affected. */
  problem: maybeText,
});

export const statusSchema = z.object({
  tasks: z.record(text, whole),
  ready: whole,
  running: whole,
  workers: z.record(text, whole),
  open_decisions: whole,
  open_questions: whole,
  unresolved_links: whole,
  ranks_are_current: z.boolean(),
  last_backup: maybeText,
  revision: whole,
  paused_at: maybeText,
});

const taskFields = {
  id: text,
  project_id: text,
  parent_id: maybeText,
  type: z.enum(taskTypes),
  title: text,
  priority: z.enum(priorities),
  status: z.enum(taskStatuses),
  worker_id: maybeText,
  attempts: whole,
  combined_priority: z.number(),
  blocked_reason: maybeText,
  last_failure: maybeText,
  updated_at: text,
  version: whole,
};

const boardTaskSchema = z.object({
  ...taskFields,
  on_critical_path: z.boolean(),
  is_ready: z.boolean(),
  /** Where a person may take it. */
  may_become: z.array(z.enum(taskStatuses)),
});
export const boardPage = z.object({ data: z.array(boardTaskSchema), next_cursor: maybeText });

export const taskSchema = z.object({
  ...taskFields,
  description: maybeText,
  max_attempts: whole,
  failures: whole,
  created_at: text,
  started_at: maybeText,
  completed_at: maybeText,
  defer_until: maybeText,
  next_eligible_at: maybeText,
});

const linkSchema = z.object({ id: text, type: text, title: text, status: text, is_held: z.boolean() });
export const attemptSchema = z.object({
  id: whole,
  task_id: text,
  worker_id: text,
  number: whole,
  started_at: text,
  heartbeat_at: text,
  lease_expires_at: text,
  ended_at: maybeText,
  outcome: maybeText,
  failure_class: maybeText,
  reason: maybeText,
  progress: maybeText,
  cancel_requested_at: maybeText,
});
export const inquirySchema = z.object({
  task_id: text,
  about_id: text,
  about_title: text,
  type: z.enum(['decision', 'question']),
  title: text,
  context: maybeText,
  options: z.array(text),
  recommendation: maybeText,
  urgency: text,
  answer: maybeText,
  answered_by: maybeText,
  answered_at: maybeText,
});
const turnSchema = z.object({
  number: whole,
  attempt_id: whole,
  started_at: text,
  ended_at: maybeText,
  result: maybeText,
  exit_code: whole.nullable(),
  failure: maybeText,
  output_bytes: whole,
  cost_usd: z.number().nullable(),
});
export const shownTaskSchema = z.object({
  task: taskSchema,
  dependencies: z.array(linkSchema),
  dependents: z.array(linkSchema),
  children: z.array(z.object({ id: text, title: text, status: text })),
  progress: z.object({ done: whole, total: whole }),
  attempts: z.array(attemptSchema),
  iterations: z.array(turnSchema),
  inquiries: z.array(inquirySchema),
  held_because: z.array(text),
});

export const newTaskSchema = z.strictObject({
  title: text.min(1).max(500),
  project: text.optional(),
  parent: text.optional(),
  type: z.enum(taskTypes).optional(),
  description: text.max(65_536).optional(),
  priority: z.enum(priorities).optional(),
  depends_on: z.array(text).max(100).default([]),
});
export const taskChangeSchema = z.strictObject({
  title: text.min(1).max(500).optional(),
  description: text.max(65_536).optional(),
  priority: z.enum(priorities).optional(),
  status: z.enum(taskStatuses).optional(),
  reason: text.max(10_000).optional(),
  version: whole.optional(),
});

export const explanationSchema = z.object({
  id: text,
  is_ready: z.boolean(),
  queue_position: whole.nullable(),
  terms: z.record(text, z.number()),
  own: z.number(),
  combined: z.number(),
  inherited_from: maybeText,
  score: z.number(),
  holds: z.array(text),
  is_current: z.boolean(),
  is_approximate: z.boolean(),
});

export const workerSchema = z.object({
  id: text,
  name: text,
  type: text,
  status: text,
  current_task_id: maybeText,
  command: text,
  max_concurrent: whole,
  parked_until: maybeText,
  paused_at: maybeText,
  last_active_at: maybeText,
  attempts: whole,
  running: whole,
  succeeded: whole,
  failed: whole,
  success_rate: z.number().nullable(),
  average_seconds: z.number().nullable(),
  cost_usd: z.number().nullable(),
});

export const eventSchema = z.object({
  id: whole,
  event_type: text,
  entity_type: text,
  entity_id: text,
  created_at: text,
  actor_type: text,
  actor_id: maybeText,
  data: z.unknown(),
});
export const logPieceSchema = z.object({ iteration: whole, offset: whole, text });

export const promptSchema = z.object({
  iteration: whole,
  text,
  tokens: whole.nullable(),
  budget_tokens: whole.nullable(),
  /** What was considered for it; of the last turn only. */
  considered: z.array(z.object({ source: text, name: text, verdict: text, reason: text, tokens: whole })),
});
export const diffSchema = z.object({
  attempt: whole,
  branch: text,
  base_commit: text,
  head_commit: maybeText,
  merged_at: maybeText,
  is_live: z.boolean(),
  files: z.array(z.object({ path: text, added: whole.nullable(), removed: whole.nullable() })),
  patch: text,
  is_cut: z.boolean(),
});
