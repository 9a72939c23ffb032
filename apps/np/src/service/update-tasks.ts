import { npErrors } from '../model/errors.ts';
import { requireReason, type TaskUpdate, updateNeedsReason } from '../model/reason.ts';
import type { Task } from '../model/session.ts';
import { checkReason, checkText, checkTitle } from '../model/text.ts';
import { type Change, changeSession } from './change.ts';
import type { Call, Np } from './np.ts';

export interface UpdateTasksRequest extends Call {
  readonly updates: readonly TaskUpdate[];
}

export interface UpdatedTask {
  readonly task: Task;
  /** False if the task was like that already. */
  readonly hasChanged: boolean;
}

/** Makes all updates, in the order given, or none. */
export function updateTasks(np: Np, request: UpdateTasksRequest): Promise<readonly UpdatedTask[]> {
  const updates = request.updates.map(checkUpdate);
  if (updates.length === 0) throw npErrors.NOTHING_TO_CHANGE('No task was given to update.');
  return changeSession(np, request, async (change) => {
    const updated: UpdatedTask[] = [];
    for (const update of updates) updated.push(await updateTask(change, update));
    return updated;
  });
}

function checkUpdate(update: TaskUpdate): TaskUpdate {
  const { id, status, title, description } = update;
  if (status === undefined && title === undefined && description === undefined) {
    throw npErrors.NOTHING_TO_CHANGE(`The update of task ${id} names no status, title or description.`);
  }
  if (title !== undefined) checkTitle(title);
  if (description !== undefined) checkText(description, 'description');
  const reason = checkReason(update.reason);
  if (updateNeedsReason(update)) requireReason(reason, describe(update));
  return { ...update, reason };
}

function describe({ id, status, title, description }: TaskUpdate): string {
  const isReworded = title !== undefined || description !== undefined;
  return isReworded ? `Updating the title or description of task ${id}` : `Setting task ${id} to "${status}"`;
}

/** Emits new words before a new status, so that the log shows what failed or was completed. */
async function updateTask(change: Change, update: TaskUpdate): Promise<UpdatedTask> {
  const before = await change.task(update.id);
  if (update.if_version !== undefined && update.if_version !== before.version) {
    throw npErrors.TASK_STALE(
      `Task ${before.id} is at version ${before.version}; the update was made for version ${update.if_version}.`,
      { details: { id: before.id, version: before.version } },
    );
  }
  const title = update.title ?? before.title;
  const description = update.description ?? before.description;
  const status = update.status ?? before.status;
  const isReworded = title !== before.title || description !== before.description;
  if (!isReworded && status === before.status) return { task: before, hasChanged: false };
  const why = status === before.status ? {} : { reason: update.reason };
  const task = await change.updateTask(before, { title, description, status, ...why });
  if (isReworded) {
    const content = { title, description, updated_at: change.at };
    const old = { title: before.title, description: before.description, updated_at: before.updated_at };
    change.emit('task_updated', { task_id: task.id, before: old, after: content }, update.reason);
  }
  if (status !== before.status) emitStatus(change, before, task, update.reason);
  return { task, hasChanged: true };
}

export function emitStatus(change: Change, before: Task, after: Task, reason: string | undefined): void {
  const { id, title, status } = after;
  change.emit(
    'task_status_changed',
    { task_id: id, title, status_before: before.status, status_after: status, updated_at: change.at },
    reason,
  );
}
