import { ringmasterErrors } from '../model/errors.ts';
import { mayStep, type Priority, type Task, type TaskStatus } from '../model/task.ts';
import { checkTitle } from '../model/texts.ts';
import { liveAttemptOfTask } from '../store/attempts.ts';
import { refuseCycle } from '../store/dependencies.ts';
import { type Call, recordEvent } from '../store/events.ts';
import type { Tx } from '../store/open.ts';
import { existingTask, updateTask } from '../store/tasks.ts';
import { callOf, type Ringmaster } from './ringmaster.ts';

export interface EditTask {
  readonly id: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly priority?: Priority | undefined;
  readonly status?: TaskStatus | undefined;
  readonly reason?: string | undefined;
  /** An empty text takes it out of its parent. */
  readonly parent?: string | undefined;
  readonly deferUntil?: string | null | undefined;
  readonly estimatedMinutes?: number | undefined;
  readonly maxAttempts?: number | undefined;
  readonly capabilities?: readonly string[] | undefined;
  /** Refused unless the task is still at this version. */
  readonly version?: number | undefined;
}

const eventOfStatus: Partial<Record<TaskStatus, string>> = {
  done: 'task_completed',
  failed: 'task_failed',
  blocked: 'task_blocked',
};

export function editTask(rm: Ringmaster, edit: EditTask): Promise<Task> {
  const call = callOf(rm);
  return rm.store.write(noteOf([edit]), (tx) => editOne(tx, call, edit));
}

/** All of them or, when one is refused, none. */
export function editTasks(rm: Ringmaster, edits: readonly EditTask[]): Promise<readonly Task[]> {
  const call = callOf(rm);
  return rm.store.write(noteOf(edits), (tx) => edits.map((edit) => editOne(tx, call, edit)));
}

/** What undo calls it by: whoever set a task to done did not edit it. */
function noteOf(edits: readonly EditTask[]): string {
  return `task ${edits[0]?.status ?? 'edit'} ${edits.map(({ id }) => id).join(' ')}`;
}

function editOne(tx: Tx, call: Call, edit: EditTask): Task {
  const before = existingTask(tx, edit.id);
  if (edit.version !== undefined && edit.version !== before.version) {
    throw ringmasterErrors.TASK_STALE(`${edit.id} is at version ${before.version}, not ${edit.version}`);
  }
  const changes = changesOf(tx, before, edit, call.now);
  const names = Object.keys(changes) as (keyof Task)[];
  if (names.length === 0) return before;
  updateTask(tx, edit.id, changes);
  const after = existingTask(tx, edit.id);
  const pick = (task: Task): unknown => Object.fromEntries(names.map((name) => [name, task[name]]));
  const type = (edit.status === undefined ? undefined : eventOfStatus[edit.status]) ?? 'task_updated';
  const data = edit.reason === undefined ? undefined : { reason: edit.reason };
  recordEvent(tx, call, { type, entity: 'task', id: edit.id, data, before: pick(before), after: pick(after) });
  return after;
}

function changesOf(tx: Tx, before: Task, edit: EditTask, now: string): Partial<Task> {
  const wanted: Partial<Record<keyof Task, string | number | null | undefined>> = {
    title: edit.title === undefined ? undefined : checkTitle(edit.title),
    description: edit.description,
    priority: edit.priority,
    parent_id: parentChange(tx, before, edit.parent),
    defer_until: edit.deferUntil,
    estimated_minutes: edit.estimatedMinutes,
    max_attempts: edit.maxAttempts,
    required_capabilities: edit.capabilities === undefined ? undefined : JSON.stringify(edit.capabilities),
    ...statusChanges(tx, before, edit, now),
  };
  const changed = Object.entries(wanted).filter(
    ([name, value]) => value !== undefined && value !== before[name as keyof Task],
  );
  return Object.fromEntries(changed);
}

function parentChange(tx: Tx, before: Task, parent: string | undefined): string | null | undefined {
  if (parent === undefined) return undefined;
  if (parent === '') return null;
  const found = existingTask(tx, parent);
  if (found.project_id !== before.project_id) {
    throw ringmasterErrors.TASK_STATE(`${parent} belongs to another project, ${found.project_id}`);
  }
  refuseCycle(tx, before.id, parent);
  return parent;
}

function statusChanges(tx: Tx, before: Task, { id, status, reason }: EditTask, now: string): Partial<Task> {
  if (status === undefined || status === before.status) return {};
  if (liveAttemptOfTask(tx, id) !== undefined) throw ringmasterErrors.TASK_RUNNING(`${id} is held by a worker`);
  if (!mayStep(before.status, status)) {
    throw ringmasterErrors.TASK_STATE(`${id} is ${before.status} and cannot become ${status} by hand`);
  }
  return {
    status,
    completed_at: status === 'done' ? now : null,
    blocked_reason: status === 'blocked' ? (reason ?? null) : null,
    // Whoever takes it back in hand takes it from whoever had it outside, and starts afresh.
    external_owner: null,
    next_eligible_at: null,
    ...(before.status === 'failed' && status === 'ready' ? { failures: 0 } : {}),
    ...(status === 'failed' ? { last_failure: reason ?? null } : {}),
  };
}
