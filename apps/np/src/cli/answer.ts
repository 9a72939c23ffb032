import { type CommandContext, type Output, style } from '@holdfast/cli';
import type { Plan } from '../model/plan.ts';
import type { Call, Np, Where } from '../service/np.ts';
import { pinSession } from '../service/resolve.ts';
import { planAfterChange, showPlan } from '../service/show-plan.ts';
import { printPlan } from './view/plan.ts';

/** A plan as `--json` gives it. */
export function planData(plan: Plan): Readonly<Record<string, unknown>> {
  return { ...plan, goal: plan.goal ?? null };
}

type Data = Readonly<Record<string, unknown>>;

export async function answerWithPlan(np: Np, where: Where, out: Output): Promise<void> {
  const plan = await showPlan(np, where);
  out.result(planData(plan), (page) => printPlan(page, plan));
}

/** Makes a change and prints the resulting plan, even if the session was archived right after the change. */
export async function answerChange(
  np: Np,
  call: Call,
  { out, note }: Pick<CommandContext, 'out' | 'note'>,
  change: (call: Call) => Promise<Data | void>,
): Promise<void> {
  const where = await pinSession(np, call.where);
  const data = (await change({ ...call, where })) ?? {};
  const plan = await planAfterChange(np, where);
  if ('warning' in plan) {
    out.result({ ...data, warning: plan.warning }, (page) => page.line('Saved.'));
    note(style.yellow('warning: '), plan.warning);
  } else out.result({ ...data, ...planData(plan) }, (page) => printPlan(page, plan));
}
