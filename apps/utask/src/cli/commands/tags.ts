import type { CommandContext } from '@holdfast/cli';
import { countTags } from '../../service/count-tags.ts';
import { type StoreContext, withStore } from '../with-store.ts';

interface Input {
  readonly options: StoreContext['options'];
}

export async function run(context: CommandContext<Input>): Promise<void> {
  await withStore(context, async (store) => {
    const rows = await countTags(store);
    context.out.result(rows, (page) => {
      if (rows.length === 0) return;
      page.table(rows, [
        { heading: 'TAG', value: ({ tag }) => tag, flexible: true },
        { heading: 'OPEN', value: ({ open }) => open, align: 'right' },
        { heading: 'DONE', value: ({ done }) => done, align: 'right' },
      ]);
    });
  });
}
