import type { CommandContext } from '@holdfast/cli';

import { cancelTask } from '../../service/cancel-task.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly args: { readonly task: string };
  readonly options: RingmasterContext['options'] & { readonly now: boolean };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  await withRingmaster(context, async (rm) => {
    const task = await cancelTask(rm, context.args.task, context.options.now);
    const text = context.options.now ? `${task.id} is ${task.status}` : `The worker of ${task.id} is asked to stop`;
    context.out.result(task, (page) => page.line(text));
  });
}
