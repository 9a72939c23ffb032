import { DAY } from '@holdfast/base';
import type { CommandContext } from '@holdfast/cli';
import { type StoreContext, withStore } from '../with-store.ts';

interface Input {
  readonly options: StoreContext['options'] & { readonly olderThan: number };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  await withStore(context, async (store) => {
    const ageMs = context.options.olderThan * DAY;
    const tasks = await store.buckets.tasks.purge(ageMs);
    const tags = await store.buckets.tags.purge(ageMs);
    context.out.result({ tasks, tags }, (page) =>
      page.line(`${tasks} deleted tasks and ${tags} empty tag lists forgotten`),
    );
  });
}
