import type { Caller } from '@holdfast/operation';
import { type ChangeSummary, nextTasks } from '../model/brief.ts';
import { toTime } from '../model/clock.ts';
import { npErrors } from '../model/errors.ts';
import type { Event } from '../model/event.ts';
import {
  type Goal,
  type Plan,
  type PlanStatus,
  readyTasks,
  type Session,
  type Status,
  type Task,
} from '../model/plan.ts';
import { checkActor, checkReason, checkText, checkTitle, requireReason } from '../model/text.ts';
import { goals } from '../store/definitions.ts';
import { readLastEvents, readPlan, readTasks, readTasksWithStatus, summarize } from '../store/queries.ts';
import { changeSession } from './change.ts';
import { type Call, type Np, pinSession, resolveSession, type SessionTarget, type Where } from './np.ts';
import type { TaskChange } from './tasks.ts';
import type { Undone } from './undo.ts';

export interface PlanRequest {
  /** Limits the tasks to this status; the counts include all tasks. */
  readonly status?: Status | undefined;
  /** Number of most recent events to include. */
  readonly recent?: number;
}

export interface ShownPlan extends Plan {
  readonly recent_events?: readonly Event[] | undefined;
}

/** Returns the goal and tasks as of one moment. */
export async function showPlan(np: Np, where: Where, { status, recent = 0 }: PlanRequest = {}): Promise<ShownPlan> {
  return np.store.snapshot(async (reads) => {
    const plan = await readPlan(reads, await resolveSession(reads, where));
    const tasks = status === undefined ? plan.tasks : plan.tasks.filter((task) => task.status === status);
    const events = recent === 0 ? {} : { recent_events: await readLastEvents(reads, plan.session.sid, recent) };
    return { ...plan, tasks, ...events };
  });
}

export async function showGoal(np: Np, where: Where): Promise<{ readonly sid: string; readonly goal: Goal }> {
  const { goal, session } = await showPlan(np, where);
  if (goal === null) throw npErrors.NO_GOAL("No goal set yet. Use 'np g s' to set it first.");
  return { sid: session.sid, goal };
}

export function showStatus(np: Np, where: Where): Promise<PlanStatus> {
  return np.store.snapshot(async (reads) => {
    const session = await resolveSession(reads, where);
    const started = await readTasksWithStatus(reads, session.sid, 'in_progress');
    return { ...(await summarize(reads, session)), in_progress: started };
  });
}

export interface TaskList {
  readonly session: Session;
  readonly tasks: readonly Task[];
}

/**
 * Lists the tasks. If a status is given, reads only the tasks with that status. `ready` limits the list to tasks that
 * can be started now.
 */
export async function listTasks(np: Np, where: Where, status?: Status, ready = false): Promise<TaskList> {
  return np.store.snapshot(async (reads) => {
    const session = await resolveSession(reads, where);
    const { sid } = session;
    if (ready) {
      const found = readyTasks(await readTasks(reads, sid), toTime(np.now()));
      return { session, tasks: status === undefined ? found : found.filter((task) => task.status === status) };
    }
    const tasks = status === undefined ? await readTasks(reads, sid) : await readTasksWithStatus(reads, sid, status);
    return { session, tasks };
  });
}

interface GoalCall extends Call {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly reason?: string | undefined;
}

export function setGoal(np: Np, request: GoalCall & Pick<Goal, 'title' | 'description'>): Promise<Goal> {
  const title = checkTitle(request.title);
  const description = checkText(request.description, 'description');
  const reason = checkReason(request.reason);
  return changeSession(np, request, async (change) => {
    const key = { sid: change.sid };
    if ((await change.tx.get(goals, key)) !== undefined) {
      throw npErrors.GOAL_EXISTS("Goal already set. Use 'np g u' to update it (requires -r/--reason flag).");
    }
    return change.setGoal({ title, description }, reason);
  });
}

/**
 * Updates the goal; keeps omitted fields. Reports a missing goal before a missing reason, as np's design document
 * requires.
 */
export function updateGoal(np: Np, request: GoalCall): Promise<Goal> {
  const { title, description } = request;
  if (title !== undefined) checkTitle(title);
  if (description !== undefined) checkText(description, 'description');
  return changeSession(np, request, async (change) => {
    const key = { sid: change.sid };
    const before = await change.tx.get(goals, key);
    if (before === undefined) throw npErrors.NO_GOAL("No goal set yet. Use 'np g s' to set it first.");
    if (title === undefined && description === undefined) {
      throw npErrors.NOTHING_TO_CHANGE('The update has no new title or description.');
    }
    const reason = requireReason(checkReason(request.reason), 'Updating the goal');
    const content = { title: title ?? before.title, description: description ?? before.description };
    if (content.title === before.title && content.description === before.description) return before;
    const after = { ...content, updated_at: change.at };
    await change.tx.put(goals, key, after);
    change.emit('goal_updated', { goal_before: before, goal_after: after }, reason);
    return after;
  });
}

export interface ChangeAnswer extends ChangeSummary {
  readonly sid: string;
  readonly plan?: Plan | undefined;
}

/** The result of a service that changes a session. */
export type ChangeResult = Goal | TaskChange | readonly TaskChange[] | Undone;

/**
 * Makes a change, then reads what the caller needs next. Resolves the session once, so that the answer belongs to the
 * changed session even if somebody archives it in the meantime. If the plan cannot be read after the change, warns instead of
 * failing, because the change is committed.
 */
export async function answerChange(
  { np, where }: SessionTarget,
  { plan: wantsPlan, actor }: { readonly plan: boolean; readonly actor?: string | undefined },
  caller: Caller,
  change: (call: Call) => Promise<ChangeResult>,
): Promise<ChangeAnswer> {
  const pinned = await pinSession(np, where);
  const call = { where: pinned, cmd: caller.via, actor: checkActor(actor ?? caller.name) };
  const answer = { ...pinned, ...changedParts(await change(call)) };
  try {
    const plan = await showPlan(np, pinned);
    return {
      ...answer,
      counts: plan.counts,
      next: nextTasks(plan.tasks, toTime(np.now())),
      ...(wantsPlan ? { plan } : {}),
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ...answer, next: [], warning: `The change was saved, but the plan cannot be read: ${reason}` };
  }
}

function changedParts(result: ChangeResult): Pick<ChangeSummary, 'undone' | 'goal' | 'tasks'> {
  if ('undone' in result) return { undone: result.undone, ...changedParts(result.tasks) };
  if ('title' in result) return { goal: result, tasks: [] };
  const changes = 'task' in result ? [result] : result;
  return { tasks: changes.map(({ task, changed }) => ({ ...task, changed })) };
}
