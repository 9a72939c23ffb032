import type { CommandContext } from '@holdfast/cli';

import { answerInquiry } from '../../service/inquiries.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly args: { readonly inquiry: string; readonly text: string };
  readonly options: RingmasterContext['options'];
}

export async function run(context: CommandContext<Input>): Promise<void> {
  await withRingmaster(context, async (rm) => {
    const task = await answerInquiry(rm, { inquiry: context.args.inquiry, answer: context.args.text });
    context.out.result(task, (page) => page.line(`${task.id} is answered`));
  });
}
