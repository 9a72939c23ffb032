import { operationErrors } from '@holdfast/operation';
import { npErrors } from '../model/errors.ts';
import { freeTaskId, idStem, isSameContent, type NewTask, type TaskContent, taskHash } from '../model/ids.ts';
import { moveTask as planMove, snapshotOf, type Task } from '../model/plan.ts';
import {
  checkNote,
  checkReason,
  checkText,
  checkTitle,
  requireReason,
  type TaskUpdate,
  updateNeedsReason,
} from '../model/text.ts';
import { events, notes, tasks as taskRecords } from '../store/definitions.ts';
import { readNotes, readTasks, readTasksByPrefix } from '../store/queries.ts';
import { type Change, changeSession } from './change.ts';
import type { Call, Np } from './np.ts';

export interface TaskChange {
  readonly task: Task;
  /** True if the task was added or changed; false if the session already had the task with these values. */
  readonly changed: boolean;
}

export interface TaskCall extends Call {
  readonly id: string;
  readonly reason?: string | undefined;
}

interface Forcible {
  /** True to change a task even if another actor has claimed it. */
  readonly force?: boolean | undefined;
}

/** Adds all tasks in one transaction, numbered in the order given. */
export function addTasks(
  np: Np,
  request: Call & { readonly tasks: readonly NewTask[]; readonly reason?: string | undefined },
): Promise<readonly TaskChange[]> {
  if (request.tasks.length === 0) throw npErrors.NOTHING_TO_CHANGE('No tasks to add were given.');
  for (const { title, description } of request.tasks) {
    checkTitle(title);
    checkText(description, 'description');
  }
  const reason = checkReason(request.reason);
  return changeSession(np, request, async (change) => {
    const addedHere = new Map<string, TaskContent>();
    const added: TaskChange[] = [];
    for (const content of request.tasks) added.push(await addTask(change, content, addedHere, reason));
    return added;
  });
}

/**
 * Adds a task, or returns the existing one with the same content. `addedHere` contains the tasks that the same
 * transaction has added so far.
 */
export async function addTask(
  change: Change,
  content: NewTask,
  addedHere: Map<string, TaskContent>,
  reason: string | undefined,
): Promise<TaskChange> {
  const { sid, at, tx } = change;
  const hash = taskHash(content, sid);
  const similar = await readTasksByPrefix(tx, sid, idStem(hash));
  for (const task of similar) {
    const original = addedHere.get(task.id) ?? (await originalContent(change, task));
    if (isSameContent(original, content)) return { task, changed: false };
  }
  const id = freeTaskId(hash, new Set(similar.map((task) => task.id)));
  const { title, description } = content;
  const created_seq = await change.nextSeq();
  const times = { created_at: at, updated_at: at, created_seq };
  const predecessors: string[] = [];
  for (const other of content.after ?? []) predecessors.push((await change.task(other)).id);
  const after = predecessors.length === 0 ? {} : { after: [...new Set(predecessors)] };
  const task: Task = { id, title, description, status: 'pending', ...times, version: 1, ...after };
  await change.addTask(task);
  change.emit('task_added', { task: snapshotOf(task), ...after }, reason);
  addedHere.set(id, content);
  return { task, changed: true };
}

/**
 * Reads the original title and description from the event that added the task, because the task may have been reworded.
 */
async function originalContent({ tx, sid }: Change, task: Task): Promise<TaskContent> {
  const event = await tx.get(events, { sid, seq: task.created_seq });
  return event?.type === 'task_added' ? event.payload.task : task;
}

/** Makes all updates, in the order given, or none. */
export function updateTasks(
  np: Np,
  request: Call & Forcible & { readonly updates: readonly TaskUpdate[] },
): Promise<readonly TaskChange[]> {
  const updates = request.updates.map(checkUpdate);
  if (updates.length === 0) throw npErrors.NOTHING_TO_CHANGE('No tasks to update were given.');
  return changeSession(np, request, async (change) => {
    const updated: TaskChange[] = [];
    for (const update of updates) updated.push(await updateTask(change, update, request.force ?? false));
    return updated;
  });
}

function checkUpdate(update: TaskUpdate): TaskUpdate {
  const { id, status, title, description, note } = update;
  if ((status ?? title ?? description ?? note) === undefined) {
    throw npErrors.NOTHING_TO_CHANGE(`The update of task ${id} has no status, title, description or note.`);
  }
  if (note !== undefined) checkNote(note);
  if (title !== undefined) checkTitle(title);
  if (description !== undefined) checkText(description, 'description');
  const reason = checkReason(update.reason);
  const isReworded = title !== undefined || description !== undefined;
  const what = isReworded ? `Updating the title or description of task ${id}` : `Setting task ${id} to "${status}"`;
  if (updateNeedsReason(update)) requireReason(reason, what);
  return { ...update, reason };
}

/** Logs a new title or description before a new status, so that the log shows what failed or was completed. */
async function updateTask(change: Change, update: TaskUpdate, force: boolean): Promise<TaskChange> {
  const before = await change.task(update.id);
  if (update.if_version !== undefined && update.if_version !== before.version) {
    throw npErrors.TASK_STALE(
      `Task ${before.id} is at version ${before.version}; the update expects version ${update.if_version}.`,
      { details: { id: before.id, version: before.version } },
    );
  }
  const title = update.title ?? before.title;
  const description = update.description ?? before.description;
  const status = update.status ?? before.status;
  const isReworded = title !== before.title || description !== before.description;
  if (!isReworded && status === before.status) return { task: before, changed: await addNote(change, before, update) };
  // Only the actor that has claimed a task may change its status, but anybody may reword it.
  if (status !== before.status && !force) change.requireUnclaimed(before);
  const why = status === before.status ? {} : { reason: update.reason };
  const task = await change.updateTask(before, { title, description, status, ...why });
  if (isReworded) {
    const content = { title, description, updated_at: change.at };
    const old = { title: before.title, description: before.description, updated_at: before.updated_at };
    change.emit('task_updated', { task_id: task.id, before: old, after: content }, update.reason);
  }
  change.emitStatus(before, task, update.reason);
  await addNote(change, task, update);
  return { task, changed: true };
}

/**
 * Adds an update's note; returns false if the update has none. Anybody may add a note, and the task's version stays the
 * same.
 */
async function addNote(change: Change, { id, title }: Task, { note, reason }: TaskUpdate): Promise<boolean> {
  if (note === undefined) return false;
  const { sid, at, by } = change;
  await change.tx.put(notes, { sid, id, seq: await change.nextSeq() }, { text: note, at, ...by });
  change.emit('task_noted', { task_id: id, title, note }, reason);
  return true;
}

/** Deletes the task; its events stay in the log. */
export function deleteTask(np: Np, request: TaskCall & Forcible): Promise<TaskChange> {
  const reason = requireReason(checkReason(request.reason), `Deleting task ${request.id}`);
  return changeSession(np, request, async (change) => {
    const task = await change.task(request.id);
    if (request.force !== true) change.requireUnclaimed(task);
    await change.removeTask(task);
    for (const { seq } of await readNotes(change.tx, { sid: change.sid, id: task.id })) {
      await change.tx.delete(notes, { sid: change.sid, id: task.id, seq });
    }
    change.emit('task_deleted', { task: snapshotOf(task) }, reason);
    return { task, changed: true };
  });
}

interface Destination {
  /** Position, counted from 1. */
  readonly to?: number | undefined;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/** Moves a task. Exactly one of `to`, `before` and `after` must be given. */
export async function moveTask(np: Np, request: TaskCall & Destination): Promise<TaskChange> {
  const reason = checkReason(request.reason);
  const targets = [request.to, request.before, request.after].filter((target) => target !== undefined);
  if (targets.length !== 1) throw operationErrors.INPUT_INVALID('Give exactly one of to, before or after.');
  return changeSession(np, request, async (change) => {
    const task = await change.task(request.id);
    const all = await readTasks(change.tx, change.sid);
    const move = planMove(all, task.id, await positionOf(change, request, task, all));
    if (move.changed.length === 0) return { task, changed: false };
    await rearrange(change, task, move.changed);
    const { positionBefore: position_before, positionAfter: position_after } = move;
    const { id: task_id, title } = task;
    change.emit('task_moved', { task_id, title, position_before, position_after, updated_at: change.at }, reason);
    return { task, changed: true };
  });
}

/** Positions are unique, so all changed tasks are deleted before the first one is stored at its new position. */
async function rearrange(change: Change, moved: Task, changed: readonly Task[]): Promise<void> {
  const { tx, sid, at } = change;
  for (const { id } of changed) await tx.delete(taskRecords, { sid, id });
  for (const task of changed) {
    // Tasks that were only shifted keep their version.
    const isMoved = task.id === moved.id;
    const stored = isMoved ? { ...task, updated_at: at, version: task.version + 1 } : task;
    await tx.put(taskRecords, { sid, id: task.id }, stored);
  }
}

async function positionOf(change: Change, request: Destination, task: Task, all: readonly Task[]): Promise<number> {
  const { to, before, after = '' } = request;
  if (to !== undefined) return to;
  const { id } = await change.task(before ?? after);
  if (id === task.id) return all.findIndex((each) => each.id === id) + 1;
  const index = all.filter((other) => other.id !== task.id).findIndex((other) => other.id === id);
  return before === undefined ? index + 2 : index + 1;
}
