import type { CommandContext } from '@holdfast/cli';

import { readText } from '../../adapters/files.ts';
import type { FailureClass, ReportStatus } from '../../model/attempt.ts';
import { report } from '../../service/report.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly args: { readonly task: string };
  readonly options: RingmasterContext['options'] & {
    readonly token: number;
    readonly status: ReportStatus;
    readonly class: FailureClass | undefined;
    readonly reason: string | undefined;
    readonly output: string | undefined;
  };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, options, out } = context;
  const output = options.output === undefined ? undefined : readText(options.output);
  await withRingmaster(context, async (rm) => {
    const { token, status, reason } = options;
    const task = await report(rm, { token, task: args.task, status, failure_class: options.class, reason, output });
    out.result(task, (page) => page.line(`${task.id} is ${task.status}`));
  });
}
