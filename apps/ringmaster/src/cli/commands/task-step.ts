import type { CommandContext } from '@holdfast/cli';

import type { TaskStatus } from '../../model/task.ts';
import { editTasks } from '../../service/edit-task.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly args: { readonly tasks: readonly string[] };
  readonly options: RingmasterContext['options'] & { readonly reason: string | undefined; readonly to: string };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, options, out } = context;
  await withRingmaster(context, async (rm) => {
    const status = options.to as TaskStatus;
    const tasks = await editTasks(
      rm,
      args.tasks.map((id) => ({ id, status, reason: options.reason })),
    );
    out.result(tasks, (page) => page.lines(tasks.map((task) => `${task.id} is ${task.status}`)));
  });
}
