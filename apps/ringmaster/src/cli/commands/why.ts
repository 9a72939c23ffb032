import type { CommandContext } from '@holdfast/cli';

import { why } from '../../service/why.ts';
import { explanationLines } from '../view/explanation.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly args: { readonly task: string };
  readonly options: RingmasterContext['options'];
}

export async function run(context: CommandContext<Input>): Promise<void> {
  await withRingmaster(context, async (rm) => {
    const explanation = await why(rm, context.args);
    context.out.result(explanation, (page) => page.lines(explanationLines(explanation)));
  });
}
