import {
  choice,
  integer,
  nullable,
  object,
  type ObjectValue,
  optional,
  schema,
  type Schema,
  text,
  time,
} from '@holdfast/operation';
import { STATUSES, type Status } from './status.ts';

/** The records of a session, with the fields of the design document. */

/** Stored text: JSON can hold a NUL character, which the fields of an input reject. */
export const storedText = text(undefined, { allowsNul: true });
export const count = integer(undefined, { min: 0 });

export const sessionFields = {
  sid: storedText,
  dir_path: storedText,
  dir_hash: storedText,
  state: choice(['active', 'archived']),
  created_at: time(),
  archived_at: nullable(time()),
  last_updated_at: time(),
} as const;
export type Session = ObjectValue<typeof sessionFields>;
export const sessionSchema: Schema<Session> = schema(sessionFields);

export const goalFields = { title: storedText, description: storedText, updated_at: time() } as const;
export type Goal = ObjectValue<typeof goalFields>;
export const goalSchema: Schema<Goal> = schema(goalFields);

/** The task of the design document, as events keep it. */
const snapshotFields = {
  id: storedText,
  title: storedText,
  description: storedText,
  status: choice(STATUSES),
  created_at: time(),
  updated_at: time(),
  created_seq: count,
} as const;
export const snapshotObject = object(snapshotFields);
export type TaskSnapshot = ObjectValue<typeof snapshotFields>;

export const taskFields = {
  ...snapshotFields,
  /** Grows by one with each change: the design document's guard against stale updates. */
  version: count,
  /** Position of a moved task; others stay in order of creation. */
  order_seq: optional(count),
  /** Who has claimed it. */
  actor: optional(storedText),
  /** Why it failed or was cancelled. */
  reason: optional(storedText),
} as const;
export type Task = ObjectValue<typeof taskFields>;
export const taskSchema: Schema<Task> = schema(taskFields);

export const countFields = {
  pending: count,
  in_progress: count,
  completed: count,
  failed: count,
  cancelled: count,
} as const;
export type StatusCounts = Readonly<Record<Status, number>>;

export type Stats = StatusCounts & { readonly updated_at: string };
export const statsSchema: Schema<Stats> = schema({ ...countFields, updated_at: time() });

/** Returns the sort key of a task within its plan. */
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
