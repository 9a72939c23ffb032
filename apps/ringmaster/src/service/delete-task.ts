import { ringmasterErrors } from '../model/errors.ts';
import type { Task } from '../model/task.ts';
import { liveAttemptOfTask } from '../store/attempts.ts';
import { type Call, recordEvent } from '../store/events.ts';
import type { Tx } from '../store/open.ts';
import { activeTask, existingTask, markDeleted, unmarkDeleted, waitingForDeleted } from '../store/tasks.ts';
import { closeEpics, reopenEpics } from './epics.ts';
import { callOf, type Ringmaster } from './ringmaster.ts';

interface Chosen {
  readonly tasks: readonly string[];
}

/**
 * Deletes tasks with everything below them. If a worker or an unfinished task needs one of them, deletes nothing. Only
 * marks the rows, so that `restoreTasks` brings back tasks, dependencies and history.
 */
export function deleteTasks(rm: Ringmaster, { tasks }: Chosen): Promise<readonly Task[]> {
  const call = callOf(rm);
  return rm.store.write(`task delete ${tasks.join(' ')}`, (tx) => {
    const chosen = tasks.map((id) => activeTask(tx, id));
    const deleted = chosen.flatMap(({ id }) => markDeleted(tx, id, call.now));
    for (const { id } of deleted) {
      if (liveAttemptOfTask(tx, id) !== undefined) throw ringmasterErrors.TASK_RUNNING(`A worker holds ${id}`);
    }
    const waiting = waitingForDeleted(tx);
    if (waiting.length > 0) {
      const links = waiting.map(({ child_id, parent_id }) => `${child_id} depends on ${parent_id}`);
      throw ringmasterErrors.TASK_NEEDED(links.join('; '), { details: { dependencies: waiting } });
    }
    record(tx, call, 'task_deleted', deleted);
    for (const task of chosen) closeEpics(tx, call, task);
    return deleted;
  });
}

/**
 * Restores deleted tasks with everything that was deleted together with them. If one cannot be restored, restores none.
 */
export function restoreTasks(rm: Ringmaster, { tasks }: Chosen): Promise<readonly Task[]> {
  const call = callOf(rm);
  return rm.store.write(`task restore ${tasks.join(' ')}`, (tx) => {
    const restored = tasks.flatMap((id) => {
      const task = existingTask(tx, id);
      if (task.deleted_at === null) throw ringmasterErrors.TASK_STATE(`${id} is not deleted`);
      return unmarkDeleted(tx, task);
    });
    for (const { id, parent_id: parent } of restored) {
      if (parent !== null && existingTask(tx, parent).deleted_at !== null) {
        throw ringmasterErrors.TASK_DELETED(`${id} is part of ${parent}, which is deleted`);
      }
    }
    const [missing] = waitingForDeleted(tx);
    if (missing !== undefined) {
      throw ringmasterErrors.TASK_DELETED(`${missing.child_id} depends on ${missing.parent_id}, which is deleted`, {
        hint: `Restore both in one command: ringmaster task restore ${[...tasks, missing.parent_id].join(' ')}`,
      });
    }
    record(tx, call, 'task_restored', restored);
    for (const task of restored) reopenEpics(tx, call, task);
    return restored;
  });
}

function record(tx: Tx, call: Call, type: string, tasks: readonly Task[]): void {
  for (const { id, status, deleted_at } of tasks) {
    recordEvent(tx, call, { type, entity: 'task', id, after: { status, deleted_at } });
  }
}
