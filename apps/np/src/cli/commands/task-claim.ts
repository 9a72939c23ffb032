import type { CommandContext } from '@holdfast/cli';
import { claimTask } from '../../service/claim-task.ts';
import { answerChange } from '../answer.ts';
import { type NpContext, withNp } from '../with-np.ts';

interface Input {
  readonly args: { readonly id: string };
  readonly options: NpContext['options'] & {
    readonly actor: string;
    readonly release: boolean;
    readonly reason: string | undefined;
  };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, options } = context;
  const { actor, release, reason } = options;
  await withNp(context, (np, named) =>
    answerChange(np, named, context, async (call) => {
      const task = await claimTask(np, { ...call, id: args.id, actor, release, reason });
      return { claimed: { id: task.id, actor: task.actor ?? null } };
    }),
  );
}
