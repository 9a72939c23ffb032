import type { CommandContext } from '@holdfast/cli';

import { readyAmong } from '../../store/ready.ts';
import { listTasks } from '../../store/tasks.ts';
import { taskColumns } from '../view/tasks.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly options: RingmasterContext['options'] & {
    readonly status: string | undefined;
    readonly type: string | undefined;
    readonly parent: string | undefined;
    readonly all: boolean;
    readonly limit: number;
  };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  await withRingmaster(context, async ({ store }) => {
    const found = listTasks(store.reader, context.options);
    const ready = readyAmong(
      store.reader,
      found.map(({ id }) => id),
    );
    const tasks = found.map((task) => ({ ...task, is_ready: ready.has(task.id) }));
    context.out.result(tasks, (page) => {
      if (tasks.length === 0) page.line("No tasks like this. 'ringmaster task add TITLE' adds one.");
      else page.table(tasks, taskColumns);
    });
  });
}
