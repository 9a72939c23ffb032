import { type CommandContext, style } from '@holdfast/cli';
import { taskHistory } from '../../service/history.ts';
import { taskLine } from '../view.ts';
import { type StoreContext, withStore } from '../with-store.ts';

interface Input {
  readonly args: { readonly prefix: string };
  readonly options: StoreContext['options'];
}

export async function run(context: CommandContext<Input>): Promise<void> {
  await withStore(context, async (store) => {
    const id = await store.require(context.args.prefix, { withDeleted: true });
    const states = (await taskHistory(store, id)).filter(({ task }, index) => index > 0 || task !== undefined);
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
