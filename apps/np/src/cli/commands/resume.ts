import { type CommandContext, style } from '@holdfast/cli';
import { readLog } from '../../service/read-log.ts';
import { showPlan } from '../../service/show-plan.ts';
import { planData } from '../answer.ts';
import { eventLines } from '../view/event.ts';
import { printPlan } from '../view/plan.ts';
import { type NpContext, withNp } from '../with-np.ts';

const RECENT_EVENTS = 5;

/** The plan, and what was done last: enough to go on where somebody stopped. */
export async function run(context: CommandContext<{ readonly options: NpContext['options'] }>): Promise<void> {
  await withNp(context, async (np, { where }) => {
    const plan = await showPlan(np, where);
    const { events } = await readLog(np, { sid: plan.session.sid }, { limit: RECENT_EVENTS });
    context.out.result({ ...planData(plan), recent_events: events }, (page) => {
      printPlan(page, plan);
      page.lines(['', style.bold('Last changes')]);
      page.lines(events.flatMap((event) => eventLines(event)));
    });
  });
}
