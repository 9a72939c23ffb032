import { choice, count, nullable, optional, shape, type ShapeValue, text, time } from './shape.ts';
import { STATUSES, type Status } from './status.ts';

/** The records of a session, field by field as the seed writes them. */

export const sessionShape = shape({
  sid: text,
  dir_path: text,
  dir_hash: text,
  state: choice(['active', 'archived']),
  created_at: time,
  archived_at: nullable(time),
  last_updated_at: time,
});
export type Session = ShapeValue<typeof sessionShape>;

export const goalShape = shape({ title: text, description: text, updated_at: time });
export type Goal = ShapeValue<typeof goalShape>;

/** What the seed's task holds, and what events keep of it. */
const seedFields = {
  id: text,
  title: text,
  description: text,
  status: choice(STATUSES),
  created_at: time,
  updated_at: time,
  created_seq: count,
} as const;

export const taskSnapshotShape = shape(seedFields);
export type TaskSnapshot = ShapeValue<typeof taskSnapshotShape>;

export const taskShape = shape({
  ...seedFields,
  /** Grows by one with each change; the seed's guard against stale updates. */
  version: count,
  /** Where a task stands that was moved; all others stand where they were created. */
  order_seq: optional(count),
  /** Who has claimed it. */
  actor: optional(text),
});
export type Task = ShapeValue<typeof taskShape>;

export const statsShape = shape({
  pending: count,
  in_progress: count,
  completed: count,
  failed: count,
  cancelled: count,
  updated_at: time,
});
export type Stats = ShapeValue<typeof statsShape>;
export type StatusCounts = Readonly<Record<Status, number>>;

/** The place of a task among the others. */
export function orderOf(task: Task): number {
  return task.order_seq ?? task.created_seq;
}

export function byOrder(left: Task, right: Task): number {
  return orderOf(left) - orderOf(right);
}

export function snapshotOf(task: Task): TaskSnapshot {
  const { id, title, description, status, created_at, updated_at, created_seq } = task;
  return { id, title, description, status, created_at, updated_at, created_seq };
}

export const NO_TASKS: StatusCounts = { pending: 0, in_progress: 0, completed: 0, failed: 0, cancelled: 0 };

export function countByStatus(tasks: readonly Task[]): StatusCounts {
  const counts = { ...NO_TASKS };
  for (const { status } of tasks) counts[status] += 1;
  return counts;
}
