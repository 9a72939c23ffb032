import type { CommandContext } from '@holdfast/cli';

import { showQueue } from '../../service/ready.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly options: RingmasterContext['options'];
}

export async function run(context: CommandContext<Input>): Promise<void> {
  await withRingmaster(context, async (rm) => {
    const rows = showQueue(rm);
    context.out.result(rows, (page) => {
      if (rows.length === 0) return page.line('Nobody works, and nothing is ready');
      return page.table(rows, [
        { heading: 'TASK', value: ({ task_id }) => task_id },
        { heading: 'SCORE', value: ({ priority_score }) => priority_score.toFixed(3), align: 'right' },
        { heading: 'WORKER', value: ({ worker_id }) => worker_id ?? '' },
        { heading: 'TITLE', value: ({ title }) => title, flexible: true },
      ]);
    });
  });
}
