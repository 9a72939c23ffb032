import type { CommandContext } from '@holdfast/cli';
import { deleteTask } from '../../service/delete-task.ts';
import { answerChange } from '../answer.ts';
import { type NpContext, withNp } from '../with-np.ts';

interface Input {
  readonly args: { readonly id: string };
  readonly options: NpContext['options'] & { readonly reason: string | undefined };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, options } = context;
  await withNp(context, (np, named) =>
    answerChange(np, named, context, async (call) => {
      const { id } = await deleteTask(np, { ...call, id: args.id, reason: options.reason });
      return { deleted: id };
    }),
  );
}
