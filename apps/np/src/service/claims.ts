import { toTime } from '../model/clock.ts';
import { npErrors } from '../model/errors.ts';
import { claimHolder, isFinished } from '../model/plan.ts';
import { checkReason, parseDuration, requireActor, requireReason } from '../model/text.ts';
import { changeSession } from './change.ts';
import type { Np } from './np.ts';
import type { TaskCall, TaskChange } from './tasks.ts';

interface ClaimCall extends TaskCall {
  /** Duration of the claim, such as `30m`. */
  readonly for?: string | undefined;
  /** Takes the task from the actor that has claimed it; requires a reason. */
  readonly takeover?: boolean;
}

/**
 * Claims a task. If several actors claim it, one gets it and the others fail with TASK_CLAIMED. Claiming it again with
 * a duration renews the claim.
 */
export function claimTask(np: Np, request: ClaimCall): Promise<TaskChange> {
  const actor = requireActor(request.actor);
  const reason = checkReason(request.reason);
  const { takeover = false, for: duration } = request;
  if (takeover) requireReason(reason, `Taking over task ${request.id}`);
  const expiry = duration === undefined ? {} : { claimed_until: toTime(np.now() + parseDuration(duration)) };
  return changeSession(np, request, async (change) => {
    const before = await change.task(request.id);
    if (isFinished(before.status)) throw npErrors.TASK_FINISHED(`Task ${before.id} is ${before.status}.`);
    if (!takeover) change.requireUnclaimed(before);
    const isOwn = claimHolder(before, change.at) === actor;
    if (isOwn && duration === undefined) return { task: before, changed: false };
    const { actor: previous, claimed_until: _, ...unclaimed } = before;
    const task = await change.updateTask(unclaimed, { actor, status: 'in_progress', ...expiry });
    const from = previous === undefined || previous === actor ? {} : { actor_before: previous };
    const payload = { task_id: task.id, title: task.title, actor, ...from, ...expiry, updated_at: change.at };
    change.emit('task_claimed', payload, reason);
    change.emitStatus(before, task, reason);
    return { task, changed: true };
  });
}

/** Makes an unfinished task pending again. Without `force`, only the actor that has claimed the task may release it. */
export function releaseTask(np: Np, request: TaskCall & { readonly force?: boolean }): Promise<TaskChange> {
  const reason = checkReason(request.reason);
  return changeSession(np, request, async (change) => {
    const before = await change.task(request.id);
    const { actor: owner, claimed_until: _, ...unclaimed } = before;
    if (owner === undefined) return { task: before, changed: false };
    if (request.force !== true) change.requireUnclaimed(before);
    const status = isFinished(before.status) ? before.status : 'pending';
    const task = await change.updateTask(unclaimed, { status });
    const payload = { task_id: task.id, title: task.title, actor: null, actor_before: owner, updated_at: change.at };
    change.emit('task_claimed', payload, reason);
    change.emitStatus(before, task, reason);
    return { task, changed: true };
  });
}
