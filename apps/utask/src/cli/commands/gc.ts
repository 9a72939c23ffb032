import { DAY } from '@holdfast/base';
import type { CommandContext } from '@holdfast/cli';
import { type UtaskContext, withUtask } from '../with-utask.ts';

interface Input {
  readonly options: UtaskContext['options'] & { readonly olderThan: number };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  await withUtask(context, async (utask) => {
    const purged = await utask.purge(context.options.olderThan * DAY);
    const { tasks, tags } = purged;
    context.out.result(purged, (page) => page.line(`${tasks} deleted tasks and ${tags} empty tag lists forgotten`));
  });
}
