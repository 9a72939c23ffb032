import type { CommandContext } from '@holdfast/cli';
import { answerWithPlan } from '../answer.ts';
import { type NpContext, withNp } from '../with-np.ts';

export async function run(context: CommandContext<{ readonly options: NpContext['options'] }>): Promise<void> {
  await withNp(context, (np, { where }) => answerWithPlan(np, where, context.out));
}
