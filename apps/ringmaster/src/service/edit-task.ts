import { ringmasterErrors } from '../model/errors.ts';
import { mayStep, type Task, type TaskStatus } from '../model/task.ts';
import { checkTitle } from '../model/texts.ts';
import { normalTime } from '../model/time.ts';
import type { StatusChange, TaskChanges } from '../operations/tasks.ts';
import { liveAttemptOfTask } from '../store/attempts.ts';
import { refuseCycle, refuseDependencyOnParent } from '../store/dependencies.ts';
import { type Call, recordEvent } from '../store/events.ts';
import type { Tx } from '../store/open.ts';
import { existingTask, updateTask } from '../store/tasks.ts';
import { callOf, type Ringmaster } from './ringmaster.ts';

const eventOfStatus: Partial<Record<TaskStatus, string>> = {
  done: 'task_completed',
  failed: 'task_failed',
  blocked: 'task_blocked',
};

export function editTask(rm: Ringmaster, edit: TaskChanges): Promise<Task> {
  const call = callOf(rm);
  return rm.store.write(noteOf([edit]), (tx) => editOne(tx, call, edit));
}

/** Changes all tasks or, if one is refused, none. */
export function setTaskStatus(rm: Ringmaster, { tasks, status, reason }: StatusChange): Promise<readonly Task[]> {
  const call = callOf(rm);
  const edits = tasks.map((task) => ({ task, status, reason }));
  return rm.store.write(noteOf(edits), (tx) => edits.map((edit) => editOne(tx, call, edit)));
}

/** The name that undo shows. */
function noteOf(edits: readonly TaskChanges[]): string {
  return `task ${edits[0]?.status ?? 'edit'} ${edits.map(({ task }) => task).join(' ')}`;
}

function editOne(tx: Tx, call: Call, edit: TaskChanges): Task {
  const before = existingTask(tx, edit.task);
  if (edit.version !== undefined && edit.version !== before.version) {
    throw ringmasterErrors.TASK_STALE(`${edit.task} is at version ${before.version}, not ${edit.version}`);
  }
  const changes = changesOf(tx, before, edit, call.now);
  const names = Object.keys(changes) as (keyof Task)[];
  if (names.length === 0) return before;
  updateTask(tx, edit.task, changes);
  const after = existingTask(tx, edit.task);
  const pick = (task: Task): unknown => Object.fromEntries(names.map((name) => [name, task[name]]));
  const type = (edit.status === undefined ? undefined : eventOfStatus[edit.status]) ?? 'task_updated';
  const data = edit.reason === undefined ? undefined : { reason: edit.reason };
  recordEvent(tx, call, { type, entity: 'task', id: edit.task, data, before: pick(before), after: pick(after) });
  return after;
}

function changesOf(tx: Tx, before: Task, edit: TaskChanges, now: string): Partial<Task> {
  const wanted: Partial<Record<keyof Task, string | number | null | undefined>> = {
    title: edit.title === undefined ? undefined : checkTitle(edit.title),
    description: edit.description,
    priority: edit.priority,
    parent_id: parentChange(tx, before, edit.parent),
    defer_until: timeChange(edit.defer_until),
    estimated_minutes: edit.estimate_minutes,
    max_attempts: edit.max_attempts,
    required_capabilities: edit.capabilities === undefined ? undefined : JSON.stringify(edit.capabilities),
    ...statusChanges(tx, before, edit, now),
  };
  const changed = Object.entries(wanted).filter(
    ([name, value]) => value !== undefined && value !== before[name as keyof Task],
  );
  return Object.fromEntries(changed);
}

function timeChange(time: string | null | undefined): string | null | undefined {
  return time === undefined || time === null ? time : normalTime(time);
}

function parentChange(tx: Tx, before: Task, parent: string | null | undefined): string | null | undefined {
  if (parent === undefined || parent === null) return parent;
  const found = existingTask(tx, parent);
  if (found.project_id !== before.project_id) {
    throw ringmasterErrors.TASK_STATE(`${parent} belongs to another project, ${found.project_id}`);
  }
  refuseCycle(tx, before.id, parent);
  refuseDependencyOnParent(tx, before.id, parent);
  return parent;
}

function statusChanges(tx: Tx, before: Task, { task: id, status, reason }: TaskChanges, now: string): Partial<Task> {
  if (status === undefined || status === before.status) return {};
  if (liveAttemptOfTask(tx, id) !== undefined) throw ringmasterErrors.TASK_RUNNING(`${id} is held by a worker`);
  if (!mayStep(before.status, status)) {
    throw ringmasterErrors.TASK_STATE(`${id} is ${before.status} and cannot become ${status} by hand`);
  }
  return {
    status,
    completed_at: status === 'done' ? now : null,
    blocked_reason: status === 'blocked' ? (reason ?? null) : null,
    // Setting the status by hand takes the task from an owner outside ringmaster.
    external_owner: null,
    next_eligible_at: null,
    ...(before.status === 'failed' && status === 'ready' ? { failures: 0 } : {}),
    ...(status === 'failed' ? { last_failure: reason ?? null } : {}),
  };
}
