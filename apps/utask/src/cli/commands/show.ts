import type { CommandContext } from '@holdfast/cli';
import { taskFields } from '../view.ts';
import { type UtaskContext, withUtask } from '../with-utask.ts';

interface Input {
  readonly args: { readonly prefix: string };
  readonly options: UtaskContext['options'];
}

export async function run(context: CommandContext<Input>): Promise<void> {
  await withUtask(context, async (utask) => {
    const task = await utask.get(context.args.prefix);
    context.out.result(task, (page) => page.fields(taskFields(task)));
  });
}
