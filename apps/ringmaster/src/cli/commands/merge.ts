import type { CommandContext } from '@holdfast/cli';

import { mergeTask } from '../../service/merge-task.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly args: { readonly task: string };
  readonly options: RingmasterContext['options'] & { readonly into: string | undefined };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  await withRingmaster(context, async (rm) => {
    const merged = await mergeTask(rm, { task: context.args.task, into: context.options.into });
    const { task_id, branch, into, commit } = merged;
    context.out.result(merged, (page) => page.line(`${task_id}: ${branch} is in ${into} as ${commit.slice(0, 10)}`));
  });
}
