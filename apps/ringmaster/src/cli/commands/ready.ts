import type { CommandContext } from '@holdfast/cli';

import { readyTasks } from '../../service/ready.ts';
import { taskColumns } from '../view/tasks.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly options: RingmasterContext['options'] & { readonly limit: number; readonly allTypes: boolean };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  await withRingmaster(context, async (rm) => {
    const tasks = readyTasks(rm, { ...context.options, all_types: context.options.allTypes });
    context.out.result(tasks, (page) => {
      if (tasks.length === 0) page.line('Nothing is ready');
      else page.table(tasks, taskColumns);
    });
  });
}
