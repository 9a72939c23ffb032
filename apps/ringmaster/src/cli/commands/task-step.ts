import type { CommandContext } from '@holdfast/cli';

import type { TaskStatus } from '../../model/task.ts';
import { editTask } from '../../service/edit-task.ts';
import { existingTask } from '../../store/tasks.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly args: { readonly tasks: readonly string[] };
  readonly options: RingmasterContext['options'] & { readonly reason: string | undefined; readonly to: string };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, options, out } = context;
  await withRingmaster(context, async (rm) => {
    const status = options.to as TaskStatus;
    // One that is misspelt must not leave the others changed without a word.
    for (const id of args.tasks) existingTask(rm.store.reader, id);
    const tasks = await Promise.all(args.tasks.map((id) => editTask(rm, { id, status, reason: options.reason })));
    out.result(tasks, (page) => page.lines(tasks.map((task) => `${task.id} is ${task.status}`)));
  });
}
