import {
  choice,
  integer,
  list,
  nullable,
  object,
  type ObjectValue,
  optional,
  schema,
  type Schema,
  text,
  time,
} from '@holdfast/operation';

/** The states of a task, in display order. */
export const STATUSES = ['pending', 'in_progress', 'completed', 'failed', 'cancelled'] as const;

export type Status = (typeof STATUSES)[number];

export const SYMBOL_BY_STATUS: Readonly<Record<Status, string>> = {
  pending: '☐',
  in_progress: '⟳',
  completed: '☑',
  failed: '☒',
  cancelled: '⊗',
};

export function statusLabel(status: Status): string {
  return status.replace('_', ' ');
}

/** Some statuses require a reason. Apart from that, any status may follow any other. */
export function statusNeedsReason(status: Status): boolean {
  return status === 'failed' || status === 'cancelled';
}

export function isFinished(status: Status): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

/** Text as stored. Stored JSON may contain NUL characters, which input fields reject. */
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

/** The fields that a task has in np's design document. Events store these fields. */
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
  /** Increases by one with each change, so that an update based on a stale version is rejected. */
  version: count,
  /** Position of a task that was moved; a task without this field is at its `created_seq`. */
  order_seq: optional(count),
  /** The actor that claimed the task. */
  actor: optional(storedText),
  /** Time at which the claim expires. From then on, other actors may take the task. */
  claimed_until: optional(time()),
  /** Why the task failed or was cancelled. */
  reason: optional(storedText),
  /** Ids of the tasks that must be done first. */
  after: optional(list(storedText)),
} as const;
export type Task = ObjectValue<typeof taskFields>;
export const taskSchema: Schema<Task> = schema(taskFields);

const noteFields = { text: storedText, at: time(), actor: optional(storedText) } as const;
export type Note = ObjectValue<typeof noteFields>;
export const noteSchema: Schema<Note> = schema(noteFields);

/** A note with its task and the number of the event that added it. */
export const taskNoteFields = { task_id: storedText, seq: count, ...noteFields } as const;
export type TaskNote = ObjectValue<typeof taskNoteFields>;

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

/** Returns the actor that holds the task; undefined unless the task is in progress and its claim has not expired. */
export function claimHolder({ actor, status, claimed_until: until }: Task, at: string): string | undefined {
  const isBinding = status === 'in_progress' && (until === undefined || Date.parse(until) > Date.parse(at));
  return isBinding ? actor : undefined;
}

/**
 * Returns a label for the claim; empty if nobody has claimed the task, or if the task is finished, because finishing
 * ends the claim.
 */
export function claimLabel({
  actor,
  status,
  claimed_until: until,
}: Pick<Task, 'actor' | 'status' | 'claimed_until'>): string {
  if (actor === undefined || status !== 'in_progress') return '';
  return until === undefined ? `claimed by ${actor}` : `claimed by ${actor} until ${until}`;
}

/**
 * Returns the tasks that can be started now: pending tasks whose predecessors are completed or cancelled, and tasks
 * whose claim has expired.
 */
export function readyTasks(tasks: readonly Task[], at: string): readonly Task[] {
  const open = new Set(
    tasks.filter(({ status }) => status !== 'completed' && status !== 'cancelled').map(({ id }) => id),
  );
  const isReady = ({ after = [] }: Task): boolean => !after.some((id) => open.has(id));
  return tasks.filter((task) => {
    if (task.status === 'pending') return isReady(task);
    return task.status === 'in_progress' && task.actor !== undefined && claimHolder(task, at) === undefined;
  });
}

/** Returns a label for the dependencies; empty if the task depends on no other task. */
export function afterLabel({ after = [] }: Task): string {
  return after.length === 0 ? '' : `after ${after.join(', ')}`;
}

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

export interface SessionSummary {
  readonly session: Session;
  readonly goal: Goal | null;
  readonly counts: StatusCounts;
}

/** Content of `np status --line`; read without loading all tasks. */
export interface PlanStatus extends SessionSummary {
  readonly in_progress: readonly Task[];
}

/** A plan at one moment, with its tasks in order. */
export interface Plan extends SessionSummary {
  readonly tasks: readonly Task[];
  readonly notes: readonly TaskNote[];
}

/** Cancelled tasks do not count. */
export function progressOf(counts: StatusCounts): { readonly done: number; readonly total: number } {
  const { pending, in_progress: inProgress, completed, failed } = counts;
  return { done: completed, total: pending + inProgress + completed + failed };
}

/**
 * Moving a task permutes the positions in use: every task between the old and the new position shifts by one. No new
 * position is needed, so positions cannot run out and need no renumbering.
 */
export interface Move {
  /** The tasks whose position changed, with their new position. */
  readonly changed: readonly Task[];
  readonly positionBefore: number;
  readonly positionAfter: number;
}

/** Moves a task. `position` counts from 1; values outside the plan mean its start or end. */
export function moveTask(tasks: readonly Task[], id: string, position: number): Move {
  const ordered = [...tasks].sort(byOrder);
  const places = ordered.map(orderOf);
  const from = ordered.findIndex((task) => task.id === id);
  const to = Math.min(Math.max(position, 1), ordered.length) - 1;
  const moved = ordered.toSpliced(from, 1).toSpliced(to, 0, ordered[from] as Task);
  const changed = moved.flatMap((task, index) => {
    const place = places[index] as number;
    return orderOf(task) === place ? [] : [atPosition(task, place)];
  });
  return { changed, positionBefore: from + 1, positionAfter: to + 1 };
}

function atPosition({ order_seq: _, ...task }: Task, place: number): Task {
  return place === task.created_seq ? task : { ...task, order_seq: place };
}
