import type { CommandContext } from '@holdfast/cli';
import { countTags } from '../../service/count-tags.ts';
import { type UtaskContext, withUtask } from '../with-utask.ts';

interface Input {
  readonly options: UtaskContext['options'];
}

export async function run(context: CommandContext<Input>): Promise<void> {
  await withUtask(context, async (utask) => {
    const rows = await countTags(utask);
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
