import type { CommandContext } from '@holdfast/cli';

import { addSummary } from '../../service/summaries.ts';
import { textOf } from '../text-of.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly args: { readonly text: string | undefined };
  readonly options: RingmasterContext['options'] & {
    readonly task: string | undefined;
    readonly from: number | undefined;
    readonly to: number | undefined;
    readonly decision: readonly string[];
  };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { options, out } = context;
  const text = await textOf(context.stdin, context.args.text);
  await withRingmaster(context, async (rm) => {
    const { project, task, from, to, decision } = options;
    const summary = await addSummary(rm, { project, task, from, to, text, decisions: decision });
    const { message_range_start, message_range_end } = summary;
    out.result(summary, (page) => page.line(`Messages ${message_range_start} to ${message_range_end} are summarised`));
  });
}
