import type { CommandContext } from '@holdfast/cli';
import { deleteTask } from '../../service/delete-task.ts';
import { answerWithPlan } from '../answer.ts';
import { type NpContext, withNp } from '../with-np.ts';

interface Input {
  readonly args: { readonly id: string };
  readonly options: NpContext['options'] & { readonly reason: string | undefined };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, options, out } = context;
  await withNp(context, async (np, call) => {
    const { id } = await deleteTask(np, { ...call, id: args.id.toLowerCase(), reason: options.reason });
    await answerWithPlan(np, call.where, out, { deleted: id });
  });
}
