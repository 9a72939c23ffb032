import { type CommandContext, commandLineErrors } from '@holdfast/cli';
import { moveTask, type Target } from '../../service/move-task.ts';
import { answerChange } from '../answer.ts';
import { type NpContext, withNp } from '../with-np.ts';

interface Input {
  readonly args: { readonly id: string };
  readonly options: NpContext['options'] & {
    readonly to: number | undefined;
    readonly before: string | undefined;
    readonly after: string | undefined;
    readonly reason: string | undefined;
  };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, options } = context;
  const to = targetOf(options);
  await withNp(context, (np, named) =>
    answerChange(np, named, context, async (call) => {
      await moveTask(np, { ...call, id: args.id, to, reason: options.reason });
    }),
  );
}

function targetOf({ to, before, after }: Input['options']): Target {
  const targets: Target[] = [
    ...(to === undefined ? [] : [{ position: to }]),
    ...(before === undefined ? [] : [{ before: before }]),
    ...(after === undefined ? [] : [{ after: after }]),
  ];
  const [target] = targets;
  if (target !== undefined && targets.length === 1) return target;
  throw commandLineErrors.INVALID_ARGUMENT('Say where to with one of --to, --before and --after.');
}
