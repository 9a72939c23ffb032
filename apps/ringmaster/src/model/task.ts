export const taskTypes = ['epic', 'task', 'subtask', 'decision', 'question'] as const;
export type TaskType = (typeof taskTypes)[number];

export const priorities = ['P0', 'P1', 'P2', 'P3', 'P4'] as const;
export type Priority = (typeof priorities)[number];

export const taskStatuses = [
  'draft',
  'ready',
  'assigned',
  'in_progress',
  'blocked',
  'review',
  'done',
  'failed',
] as const;
export type TaskStatus = (typeof taskStatuses)[number];

/**
 * A row of `tasks`: first the columns of the ringmaster design document, then columns that this implementation adds.
 */
export interface Task {
  readonly id: string;
  readonly project_id: string;
  readonly parent_id: string | null;
  readonly type: TaskType;
  readonly title: string;
  readonly description: string | null;
  readonly priority: Priority;
  readonly status: TaskStatus;
  readonly worker_id: string | null;
  readonly attempts: number;
  readonly max_attempts: number;
  readonly pagerank_score: number;
  readonly betweenness_score: number;
  readonly on_critical_path: number;
  readonly combined_priority: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly started_at: string | null;
  readonly completed_at: string | null;
  readonly prompt_path: string | null;
  readonly output_path: string | null;
  readonly context_hash: string | null;
  readonly failures: number;
  readonly version: number;
  readonly ready_at: string | null;
  readonly next_eligible_at: string | null;
  readonly defer_until: string | null;
  readonly blocked_reason: string | null;
  readonly last_failure: string | null;
  readonly external_owner: string | null;
  readonly required_capabilities: string | null;
  readonly required_worker: string | null;
  readonly model: string | null;
  readonly worker_args: string | null;
  readonly estimated_minutes: number | null;
  readonly labels: string | null;
  readonly external_ref: string | null;
  readonly is_work: number;
  readonly is_pinned: number;
  readonly own_priority: number;
  readonly inherited_from: string | null;
  readonly metrics_version: number;
  readonly archived_at: string | null;
  readonly deleted_at: string | null;
}

/** Status changes that a person may make. Only the worker's report changes a claimed task. */
const steps: Readonly<Record<TaskStatus, readonly TaskStatus[]>> = {
  draft: ['ready', 'blocked', 'done', 'failed'],
  ready: ['draft', 'blocked', 'done', 'failed', 'review'],
  assigned: [],
  in_progress: ['ready', 'draft', 'blocked', 'review', 'done', 'failed'],
  blocked: ['draft', 'ready', 'done', 'failed'],
  review: ['ready', 'draft', 'blocked', 'done', 'failed'],
  done: ['ready', 'draft', 'review'],
  failed: ['ready', 'draft', 'done'],
};

/** Returns the statuses that a person may set; none for a claimed task. */
export function stepsFrom(task: Pick<Task, 'status' | 'worker_id'>): readonly TaskStatus[] {
  return task.worker_id === null ? steps[task.status] : [];
}

export function mayStep(from: TaskStatus, to: TaskStatus): boolean {
  return from === to || steps[from].includes(to);
}
