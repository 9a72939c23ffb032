import { npErrors } from '../model/errors.ts';
import type { Task } from '../model/session.ts';
import { isFinished } from '../model/status.ts';
import { checkReason, checkText } from '../model/text.ts';
import { type Change, changeSession } from './change.ts';
import type { Call, Np } from './np.ts';
import { emitStatus } from './update-tasks.ts';

export interface ClaimRequest extends Call {
  readonly id: string;
  readonly actor: string;
  /** Release it instead. */
  readonly release?: boolean;
  readonly reason?: string | undefined;
}

/** Of several actors that claim a task, one gets it and the others fail with TASK_CLAIMED. */
export function claimTask(np: Np, request: ClaimRequest): Promise<Task> {
  const actor = checkText(request.actor, 'actor');
  if (actor.trim() === '') throw npErrors.TEXT_INVALID('The name of the actor is empty.');
  const reason = checkReason(request.reason);
  return changeSession(np, request, async (change) => {
    const task = await change.task(request.id);
    if (task.actor !== undefined && task.actor !== actor) {
      const message = `Task ${task.id} is claimed by ${task.actor}.`;
      throw npErrors.TASK_CLAIMED(message, { details: { id: task.id, actor: task.actor } });
    }
    return request.release === true ? release(change, task, reason) : claim(change, task, actor, reason);
  });
}

async function claim(change: Change, task: Task, actor: string, reason: string | undefined): Promise<Task> {
  if (isFinished(task.status)) throw npErrors.TASK_FINISHED(`Task ${task.id} is ${task.status}.`);
  if (task.actor === actor && task.status === 'in_progress') return task;
  const claimed = await change.updateTask(task, { actor, status: 'in_progress' });
  if (task.actor !== actor) {
    change.emit('task_claimed', { task_id: task.id, title: task.title, actor, updated_at: change.at }, reason);
  }
  if (task.status !== claimed.status) emitStatus(change, task, claimed, reason);
  return claimed;
}

async function release(change: Change, task: Task, reason: string | undefined): Promise<Task> {
  if (task.actor === undefined) return task;
  const { id, title, actor } = task;
  const status = isFinished(task.status) ? task.status : 'pending';
  const { actor: _, ...unclaimed } = task;
  const released = await change.updateTask(unclaimed, { status });
  const payload = { task_id: id, title, actor: null, actor_before: actor, updated_at: change.at };
  change.emit('task_claimed', payload, reason);
  if (task.status !== released.status) emitStatus(change, task, released, reason);
  return released;
}
