import { operationErrors } from '@holdfast/operation';
import { type Move, moveTask as planMove } from '../model/move.ts';
import type { Task } from '../model/session.ts';
import { checkReason } from '../model/text.ts';
import { tasks as taskRecords } from '../store/definitions.ts';
import { readTasks } from '../store/plan.ts';
import { type Change, changeSession } from './change.ts';
import type { Call, Np } from './np.ts';

/** Exactly one of `to`, `before` and `after` says where the task goes. */
export interface MoveRequest extends Call {
  readonly id: string;
  /** Position, counted from 1. */
  readonly to?: number | undefined;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  readonly reason?: string | undefined;
}

export async function moveTask(np: Np, request: MoveRequest): Promise<Move & { readonly task: Task }> {
  const reason = checkReason(request.reason);
  const targets = [request.to, request.before, request.after].filter((target) => target !== undefined);
  if (targets.length !== 1) throw operationErrors.INPUT_INVALID('Give exactly one of to, before and after.');
  return changeSession(np, request, async (change) => {
    const task = await change.task(request.id);
    const all = await readTasks(change.tx, change.sid);
    const move = planMove(all, task.id, await positionOf(change, request, task, all));
    if (move.changed.length === 0) return { ...move, task };
    await rearrange(change, task, move.changed);
    const { positionBefore: position_before, positionAfter: position_after } = move;
    const { id: task_id, title } = task;
    change.emit('task_moved', { task_id, title, position_before, position_after, updated_at: change.at }, reason);
    return { ...move, task };
  });
}

/** Positions are unique, so every task leaves its position before any takes a new one. */
async function rearrange(change: Change, moved: Task, changed: readonly Task[]): Promise<void> {
  const { tx, sid, at } = change;
  for (const { id } of changed) await tx.delete(taskRecords, { sid, id });
  for (const task of changed) {
    // Tasks that only make room keep their version.
    const isMoved = task.id === moved.id;
    const stored = isMoved ? { ...task, updated_at: at, version: task.version + 1 } : task;
    await tx.put(taskRecords, { sid, id: task.id }, stored);
  }
}

async function positionOf(change: Change, request: MoveRequest, task: Task, all: readonly Task[]): Promise<number> {
  const { to, before, after = '' } = request;
  if (to !== undefined) return to;
  const { id } = await change.task(before ?? after);
  if (id === task.id) return all.findIndex((each) => each.id === id) + 1;
  const index = all.filter((other) => other.id !== task.id).findIndex((other) => other.id === id);
  return before === undefined ? index + 2 : index + 1;
}
