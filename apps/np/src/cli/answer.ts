import type { Output, Text } from '@holdfast/cli';
import type { Plan } from '../model/plan.ts';
import type { Np, Where } from '../service/np.ts';
import { showPlan } from '../service/show-plan.ts';
import { planLines } from './view/plan.ts';

/** A plan as `--json` gives it. */
export function planData(plan: Plan): Readonly<Record<string, unknown>> {
  return { ...plan, goal: plan.goal ?? null };
}

/** Every change answers with the plan that came of it, so that nobody has to ask for it. */
export async function answerWithPlan(
  np: Np,
  where: Where,
  out: Output,
  more: { readonly data?: Readonly<Record<string, unknown>>; readonly lines?: readonly Text[] } = {},
): Promise<void> {
  const plan = await showPlan(np, where);
  const above = more.lines === undefined || more.lines.length === 0 ? [] : [...more.lines, ''];
  out.result({ ...more.data, ...planData(plan) }, (page) => page.lines([...above, ...planLines(plan)]));
}
