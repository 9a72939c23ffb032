import type { Plan } from '../model/plan.ts';
import type { Session, Task } from '../model/session.ts';
import type { Status } from '../model/status.ts';
import { readPlan, readTasks, readTasksWithStatus } from '../store/plan.ts';
import type { Np, Where } from './np.ts';
import { resolveSession } from './resolve.ts';

/** `np p` and `np r`: goal and tasks of one moment. */
export async function showPlan(np: Np, where: Where): Promise<Plan> {
  return np.store.snapshot(async (reads) => readPlan(reads, await resolveSession(reads, where)));
}

/** A committed change must not be reported as failed because something else in the plan cannot be read. */
export async function planAfterChange(np: Np, where: Where): Promise<Plan | { readonly warning: string }> {
  try {
    return await showPlan(np, where);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { warning: `The change was saved, but the plan cannot be shown: ${reason}` };
  }
}

export interface TaskList {
  readonly session: Session;
  readonly tasks: readonly Task[];
}

/** `np t`. With a status only the tasks that have it are read, however many there are. */
export async function listTasks(np: Np, where: Where, status?: Status): Promise<TaskList> {
  return np.store.snapshot(async (reads) => {
    const session = await resolveSession(reads, where);
    const { sid } = session;
    const tasks = status === undefined ? await readTasks(reads, sid) : await readTasksWithStatus(reads, sid, status);
    return { session, tasks };
  });
}
