import type { Output } from '@holdfast/cli';
import type { Plan } from '../model/plan.ts';
import type { Call, Np, Where } from '../service/np.ts';
import { pinSession } from '../service/resolve.ts';
import { showPlan } from '../service/show-plan.ts';
import { printPlan } from './view/plan.ts';

/** A plan as `--json` gives it. */
export function planData(plan: Plan): Readonly<Record<string, unknown>> {
  return { ...plan, goal: plan.goal ?? null };
}

type Data = Readonly<Record<string, unknown>>;

export async function answerWithPlan(np: Np, where: Where, out: Output, data: Data = {}): Promise<void> {
  const plan = await showPlan(np, where);
  out.result({ ...data, ...planData(plan) }, (page) => printPlan(page, plan));
}

/**
 * Every change answers with the plan that came of it, so that nobody has to ask for it; also if the session was archived
 * as soon as the change was made.
 */
export async function answerChange(
  np: Np,
  call: Call,
  out: Output,
  change: (call: Call) => Promise<Data | void>,
): Promise<void> {
  const where = await pinSession(np, call.where);
  const data = await change({ ...call, where });
  await answerWithPlan(np, where, out, data ?? {});
}
