import type { CommandContext } from '@holdfast/cli';

import { nextTask } from '../../service/ready.ts';
import { explanationLines } from '../view/explanation.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly options: RingmasterContext['options'];
}

export async function run(context: CommandContext<Input>): Promise<void | 3> {
  return withRingmaster(context, async (rm) => {
    const explanation = await nextTask(rm, context.options);
    if (explanation === null) {
      context.out.result(null, (page) => page.line('Nothing is ready'));
      return 3;
    }
    context.out.result(explanation, (page) => page.lines(explanationLines(explanation)));
    return undefined;
  });
}
