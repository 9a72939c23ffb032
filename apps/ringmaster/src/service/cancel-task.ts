import { ringmasterErrors } from '../model/errors.ts';
import type { Task } from '../model/task.ts';
import { liveAttemptOfTask, requestCancel } from '../store/attempts.ts';
import { recordEvent } from '../store/events.ts';
import { existingTask } from '../store/tasks.ts';
import { finishAttempt } from './finish-attempt.ts';
import { callOf, type Ringmaster } from './ringmaster.ts';

/** Asks the worker to stop at its next heartbeat; `now` takes the task away at once and makes its token stale. */
export function cancelTask(
  rm: Ringmaster,
  { task: id, now = false }: { readonly task: string; readonly now?: boolean | undefined },
): Promise<Task> {
  const call = callOf(rm);
  return rm.store.write(`task cancel ${id}`, (tx) => {
    const task = existingTask(tx, id);
    const attempt = liveAttemptOfTask(tx, id);
    if (attempt === undefined) throw ringmasterErrors.TASK_STATE(`${id} is ${task.status}: no worker holds it`);
    if (now) {
      const ending = { outcome: 'released', failureClass: 'cancelled', reason: 'cancelled', outputPath: null } as const;
      return finishAttempt(tx, rm, call, attempt, ending);
    }
    requestCancel(tx, attempt.id, call.now);
    recordEvent(tx, call, { type: 'cancel_requested', entity: 'task', id, data: { token: attempt.id } });
    return task;
  });
}
