import type { CommandContext } from '@holdfast/cli';
import { type StoreContext, withStore } from '../with-store.ts';

interface Input {
  readonly options: StoreContext['options'];
}

/** Counted from the tasks themselves, so that the numbers are right whatever the index says. */
export async function run(context: CommandContext<Input>): Promise<void> {
  await withStore(context, async (store) => {
    const counts = new Map<string, { open: number; done: number }>();
    for (const { tags, done } of await store.all()) {
      for (const tag of tags) {
        const count = counts.get(tag) ?? { open: 0, done: 0 };
        count[done ? 'done' : 'open'] += 1;
        counts.set(tag, count);
      }
    }
    const rows = [...counts]
      .map(([tag, count]) => ({ tag, ...count }))
      .sort((left, right) => (left.tag < right.tag ? -1 : 1));
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
