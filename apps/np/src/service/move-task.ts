import { type Move, moveTask as planMove } from '../model/move.ts';
import type { Task } from '../model/session.ts';
import { checkReason } from '../model/text.ts';
import { tasks as taskRecords } from '../store/definitions.ts';
import { readTasks } from '../store/plan.ts';
import { type Change, changeSession } from './change.ts';
import type { Call, Np } from './np.ts';

/** Where to: a place counted from 1, or beside another task. */
export type Target = { readonly position: number } | { readonly before: string } | { readonly after: string };

export interface MoveRequest extends Call {
  readonly id: string;
  readonly to: Target;
  readonly reason?: string | undefined;
}

/** `np t mv`. */
export function moveTask(np: Np, request: MoveRequest): Promise<Move> {
  const reason = checkReason(request.reason);
  return changeSession(np, request, async (change) => {
    const task = await change.task(request.id);
    const all = await readTasks(change.tx, change.sid);
    const move = planMove(all, task.id, await positionOf(change, request.to, task, all));
    if (move.changed.length === 0) return move;
    await rearrange(change, task, move.changed);
    const { positionBefore: position_before, positionAfter: position_after } = move;
    const { id: task_id, title } = task;
    change.emit('task_moved', { task_id, title, position_before, position_after, updated_at: change.at }, reason);
    return move;
  });
}

/** No two tasks may stand in one place, so all leave their places before any takes a new one. */
async function rearrange(change: Change, moved: Task, changed: readonly Task[]): Promise<void> {
  const { tx, sid, at } = change;
  for (const { id } of changed) await tx.delete(taskRecords, { sid, id });
  for (const task of changed) {
    // Those that only step aside have not been changed by anybody.
    const isMoved = task.id === moved.id;
    const stored = isMoved ? { ...task, updated_at: at, version: task.version + 1 } : task;
    await tx.put(taskRecords, { sid, id: task.id }, stored);
  }
}

async function positionOf(change: Change, target: Target, task: Task, all: readonly Task[]): Promise<number> {
  if ('position' in target) return target.position;
  const { id } = await change.task('before' in target ? target.before : target.after);
  if (id === task.id) return all.findIndex((each) => each.id === id) + 1;
  const index = all.filter((other) => other.id !== task.id).findIndex((other) => other.id === id);
  return 'before' in target ? index + 1 : index + 2;
}
