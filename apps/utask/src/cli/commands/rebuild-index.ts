import type { CommandContext } from '@holdfast/cli';
import { type StoreContext, withStore } from '../with-store.ts';

interface Input {
  readonly options: StoreContext['options'];
}

export async function run(context: CommandContext<Input>): Promise<void> {
  await withStore(context, async (store) => {
    const rebuilt = await store.rebuildIndex();
    const { tasks, tags, added, removed } = rebuilt;
    context.out.result(rebuilt, (page) =>
      page.line(`${tasks} tasks, ${tags} tags: ${added} entries added, ${removed} removed`),
    );
  });
}
