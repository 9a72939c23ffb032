import type { CommandContext } from '@holdfast/cli';

import { allWorkers } from '../../service/workers.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly options: RingmasterContext['options'];
}

export async function run(context: CommandContext<Input>): Promise<void> {
  await withRingmaster(context, async (rm) => {
    const workers = allWorkers(rm);
    context.out.result(workers, (page) => {
      if (workers.length === 0) return page.line('No workers. Describe one as [[workers]] in ringmaster.toml.');
      return page.table(workers, [
        { heading: 'ID', value: ({ id }) => id },
        { heading: 'TYPE', value: ({ type }) => type },
        {
          heading: 'STATUS',
          value: ({ status, parked_until }) => (parked_until === null ? status : `${status}, parked`),
        },
        { heading: 'TASK', value: ({ current_task_id }) => current_task_id ?? '' },
        { heading: 'DONE', value: ({ tasks_completed }) => tasks_completed, align: 'right' },
        { heading: 'FAILED', value: ({ tasks_failed }) => tasks_failed, align: 'right' },
      ]);
    });
  });
}
