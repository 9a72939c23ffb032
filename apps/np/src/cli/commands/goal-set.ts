import type { CommandContext } from '@holdfast/cli';
import { setGoal } from '../../service/set-goal.ts';
import { answerChange } from '../answer.ts';
import { textReader } from '../texts.ts';
import { type NpContext, withNp } from '../with-np.ts';

interface Input {
  readonly options: NpContext['options'] & {
    readonly title: string;
    readonly description: string;
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
      await setGoal(np, { ...call, title, description, reason: options.reason });
    }),
  );
}
