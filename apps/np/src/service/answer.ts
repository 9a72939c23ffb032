import type { Caller } from '@holdfast/operation';
import { type ChangedTask, type ChangeSummary, nextTasks } from '../model/brief.ts';
import type { Goal } from '../model/session.ts';
import type { Call, SessionTarget } from './np.ts';
import { pinSession } from './resolve.ts';
import { type PlanData, planData, showPlan } from './show-plan.ts';

export interface ChangeAnswer extends ChangeSummary {
  readonly sid: string;
  readonly plan?: PlanData | undefined;
}

interface Changed {
  readonly goal?: Goal;
  readonly tasks?: readonly ChangedTask[];
}

/**
 * Makes a change, then reads what the caller needs next. The session is resolved once, so the answer belongs to it even
 * if it is archived meanwhile. An unreadable plan afterwards is a warning: the change is committed.
 */
export async function answerChange(
  { np, where }: SessionTarget,
  { plan: wantsPlan }: { readonly plan: boolean },
  caller: Caller,
  change: (call: Call) => Promise<Changed>,
): Promise<ChangeAnswer> {
  const pinned = await pinSession(np, where);
  const { tasks = [], ...changed } = await change({ where: pinned, cmd: caller.via });
  const answer = { ...pinned, ...changed, tasks };
  try {
    const plan = await showPlan(np, pinned);
    const whole = wantsPlan ? { plan: planData(plan) } : {};
    return { ...answer, counts: plan.counts, next: nextTasks(plan.tasks), ...whole };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ...answer, next: [], warning: `The change was saved, but the plan cannot be read: ${reason}` };
  }
}
