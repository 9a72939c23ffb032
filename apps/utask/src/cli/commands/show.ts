import type { CommandContext } from '@holdfast/cli';
import { taskFields } from '../view.ts';
import { type StoreContext, withStore } from '../with-store.ts';

interface Input {
  readonly args: { readonly prefix: string };
  readonly options: StoreContext['options'];
}

export async function run(context: CommandContext<Input>): Promise<void> {
  await withStore(context, async (store) => {
    const task = await store.get(context.args.prefix);
    context.out.result(task, (page) => page.fields(taskFields(task)));
  });
}
