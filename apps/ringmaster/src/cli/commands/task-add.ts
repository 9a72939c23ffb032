import type { CommandContext } from '@holdfast/cli';

import { addTask } from '../../service/add-task.ts';
import type { Priority, TaskType } from '../../model/task.ts';
import { textOf } from '../text-of.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly args: { readonly title: string };
  readonly options: RingmasterContext['options'] & {
    readonly description: string | undefined;
    readonly priority: Priority | undefined;
    readonly parent: string | undefined;
    readonly capability: readonly string[];
    readonly estimate: number | undefined;
    readonly maxAttempts: number | undefined;
    readonly type: TaskType | undefined;
    readonly dependsOn: readonly string[];
    readonly id: string | undefined;
    readonly draft: boolean;
  };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, options, out } = context;
  const description = await textOf(context.stdin, options.description);
  await withRingmaster(context, async (rm) => {
    const task = await addTask(rm, {
      title: args.title,
      description,
      project: options.project,
      priority: options.priority,
      parent: options.parent,
      capabilities: options.capability,
      estimatedMinutes: options.estimate,
      maxAttempts: options.maxAttempts,
      type: options.type,
      dependsOn: options.dependsOn,
      id: options.id,
      status: options.draft ? 'draft' : 'ready',
    });
    out.result(task, (page) => page.line(task.id));
  });
}
