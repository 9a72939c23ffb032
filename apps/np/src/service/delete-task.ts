import { requireReason } from '../model/reason.ts';
import { snapshotOf, type Task } from '../model/session.ts';
import { checkReason } from '../model/text.ts';
import { changeSession } from './change.ts';
import type { Call, Np } from './np.ts';

/** Deletes the task; its events stay in the log. */
export function deleteTask(
  np: Np,
  request: Call & { readonly id: string; readonly reason?: string | undefined },
): Promise<Task> {
  const reason = requireReason(checkReason(request.reason), `Deleting task ${request.id}`);
  return changeSession(np, request, async (change) => {
    const task = await change.task(request.id);
    await change.removeTask(task);
    change.emit('task_deleted', { task: snapshotOf(task) }, reason);
    return task;
  });
}
