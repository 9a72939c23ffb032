import type { Event } from '../model/event.ts';
import { npErrors } from '../model/errors.ts';
import type { Plan } from '../model/plan.ts';
import type { Goal, Session, Task } from '../model/session.ts';
import type { Status } from '../model/status.ts';
import { readLastEvents } from '../store/events.ts';
import { readPlan, readTasks, readTasksWithStatus } from '../store/plan.ts';
import type { Np, Where } from './np.ts';
import { resolveSession } from './resolve.ts';

/** Goal and tasks as of one moment. */
export async function showPlan(np: Np, where: Where): Promise<Plan> {
  return np.store.snapshot(async (reads) => readPlan(reads, await resolveSession(reads, where)));
}

/** A plan as JSON, which has no undefined. */
export interface PlanData extends Omit<Plan, 'goal'> {
  readonly goal: Goal | null;
  readonly recent_events?: readonly Event[] | undefined;
}

export function planData(plan: Plan): PlanData {
  return { ...plan, goal: plan.goal ?? null };
}

export interface PlanRequest {
  /** Only tasks with this status; the counts are those of all. */
  readonly status?: Status | undefined;
  /** How many of the last events to include. */
  readonly recent?: number;
}

export async function showPlanData(np: Np, where: Where, { status, recent = 0 }: PlanRequest): Promise<PlanData> {
  return np.store.snapshot(async (reads) => {
    const plan = await readPlan(reads, await resolveSession(reads, where));
    const tasks = status === undefined ? plan.tasks : plan.tasks.filter((task) => task.status === status);
    const events = recent === 0 ? {} : { recent_events: await readLastEvents(reads, plan.session.sid, recent) };
    return { ...planData(plan), tasks, ...events };
  });
}

export async function showGoal(np: Np, where: Where): Promise<{ readonly sid: string; readonly goal: Goal }> {
  const { goal, session } = await showPlan(np, where);
  if (goal === undefined) throw npErrors.NO_GOAL("No goal set yet. Use 'np g s' to set it first.");
  return { sid: session.sid, goal };
}

export interface TaskList {
  readonly session: Session;
  readonly tasks: readonly Task[];
}

/** With a status, reads only the tasks that have it. */
export async function listTasks(np: Np, where: Where, status?: Status): Promise<TaskList> {
  return np.store.snapshot(async (reads) => {
    const session = await resolveSession(reads, where);
    const { sid } = session;
    const tasks = status === undefined ? await readTasks(reads, sid) : await readTasksWithStatus(reads, sid, status);
    return { session, tasks };
  });
}
