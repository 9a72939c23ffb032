import { type CommandContext, commandLineErrors } from '@holdfast/cli';

import { ringmasterErrors } from '../../model/errors.ts';
import type { Priority } from '../../model/task.ts';
import { normalTime } from '../../model/time.ts';
import { editTask } from '../../service/edit-task.ts';
import { textOf } from '../text-of.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly args: { readonly task: string };
  readonly options: RingmasterContext['options'] & {
    readonly title: string | undefined;
    readonly description: string | undefined;
    readonly priority: Priority | undefined;
    readonly parent: string | undefined;
    readonly capability: readonly string[];
    readonly estimate: number | undefined;
    readonly maxAttempts: number | undefined;
    readonly defer: string | undefined;
    readonly version: number | undefined;
  };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, options, out } = context;
  const { title, priority, parent, capability, estimate, maxAttempts, defer } = options;
  const given = [title, options.description, priority, parent, capability[0], estimate, maxAttempts, defer];
  if (given.every((one) => one === undefined)) {
    throw commandLineErrors.MISSING_OPTION('Say what is to be changed: --title, --description, --priority, …');
  }
  const description = await textOf(context.stdin, options.description);
  await withRingmaster(context, async (rm) => {
    const task = await editTask(rm, {
      id: args.task,
      title: options.title,
      description,
      priority: options.priority,
      parent: options.parent,
      capabilities: options.capability.length === 0 ? undefined : options.capability,
      estimatedMinutes: options.estimate,
      maxAttempts: options.maxAttempts,
      deferUntil: momentOf(options.defer),
      version: options.version,
    });
    out.result(task, (page) => page.line(`${task.id} is at version ${task.version}`));
  });
}

function momentOf(text: string | undefined): string | null | undefined {
  if (text === undefined) return undefined;
  if (text === '') return null;
  const moment = normalTime(text);
  if (moment === undefined) throw ringmasterErrors.TEXT_INVALID(`"${text}" is no moment`);
  return moment;
}
