import type { CommandContext } from '@holdfast/cli';
import { npErrors } from '../../model/errors.ts';
import { showPlan } from '../../service/show-plan.ts';
import { goalLines } from '../view/plan.ts';
import { type NpContext, withNp } from '../with-np.ts';

export async function run(context: CommandContext<{ readonly options: NpContext['options'] }>): Promise<void> {
  const { goal, session } = await withNp(context, (np, { where }) => showPlan(np, where));
  if (goal === undefined) throw npErrors.NO_GOAL("No goal set yet. Use 'np g s' to set it first.");
  context.out.result({ sid: session.sid, goal }, (page) => page.lines(goalLines(goal)));
}
