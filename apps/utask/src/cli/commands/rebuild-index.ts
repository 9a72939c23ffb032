import type { CommandContext } from '@holdfast/cli';
import { type UtaskContext, withUtask } from '../with-utask.ts';

interface Input {
  readonly options: UtaskContext['options'];
}

export async function run(context: CommandContext<Input>): Promise<void> {
  await withUtask(context, async (utask) => {
    const rebuilt = await utask.rebuildIndex();
    const { tasks, tags, added, removed } = rebuilt;
    context.out.result(rebuilt, (page) =>
      page.line(`${tasks} tasks, ${tags} tags: ${added} entries added, ${removed} removed`),
    );
  });
}
