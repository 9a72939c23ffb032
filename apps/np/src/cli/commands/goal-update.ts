import type { CommandContext } from '@holdfast/cli';
import { updateGoal } from '../../service/update-goal.ts';
import { answerChange } from '../answer.ts';
import { textReader } from '../texts.ts';
import { type NpContext, withNp } from '../with-np.ts';

interface Input {
  readonly options: NpContext['options'] & {
    readonly title: string | undefined;
    readonly description: string | undefined;
    readonly reason: string | undefined;
  };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { options } = context;
  const read = textReader(context.stdin);
  const title = await read(options.title);
  const description = await read(options.description);
  await withNp(context, (np, named) =>
    answerChange(np, named, context, async (call) => {
      await updateGoal(np, { ...call, title, description, reason: options.reason });
    }),
  );
}
