import { type CommandContext, style } from '@holdfast/cli';
import { taskHistory } from '../../service/history.ts';
import { taskLine } from '../view.ts';
import { type UtaskContext, withUtask } from '../with-utask.ts';

interface Input {
  readonly args: { readonly prefix: string };
  readonly options: UtaskContext['options'];
}

export async function run(context: CommandContext<Input>): Promise<void> {
  await withUtask(context, async (utask) => {
    const id = await utask.require(context.args.prefix, { withDeleted: true });
    const states = (await taskHistory(utask, id)).filter(({ task }, index) => index > 0 || task !== undefined);
    const data = states.map(({ revision, at, task }) => ({ revision, at, task: task ?? null }));
    context.out.result(data, (page) =>
      page.lines(
        states.map(({ revision, at, task }) => [
          style.dim(`${revision}  ${at}  `),
          task === undefined ? style.red('deleted') : taskLine(task),
        ]),
      ),
    );
  });
}
