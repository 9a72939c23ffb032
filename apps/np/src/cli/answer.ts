import type { Output } from '@holdfast/cli';
import type { Plan } from '../model/plan.ts';
import type { Np, Where } from '../service/np.ts';
import { showPlan } from '../service/show-plan.ts';
import { printPlan } from './view/plan.ts';

/** A plan as `--json` gives it. */
export function planData(plan: Plan): Readonly<Record<string, unknown>> {
  return { ...plan, goal: plan.goal ?? null };
}

/** Every change answers with the plan that came of it, so that nobody has to ask for it. */
export async function answerWithPlan(
  np: Np,
  where: Where,
  out: Output,
  data: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const plan = await showPlan(np, where);
  out.result({ ...data, ...planData(plan) }, (page) => printPlan(page, plan));
}
