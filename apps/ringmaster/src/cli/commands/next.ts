import type { CommandContext } from '@holdfast/cli';

import { refreshRanks } from '../../service/refresh-ranks.ts';
import { why } from '../../service/why.ts';
import { listReady } from '../../store/ready.ts';
import { explanationLines } from '../view/explanation.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly options: RingmasterContext['options'];
}

export async function run(context: CommandContext<Input>): Promise<void | 3> {
  return withRingmaster(context, async (rm) => {
    await refreshRanks(rm);
    const [first] = listReady(rm.store.reader, { project: context.options.project, limit: 1, allTypes: false });
    if (first === undefined) {
      context.out.result(null, (page) => page.line('Nothing is ready'));
      return 3;
    }
    const explanation = why(rm, first.id);
    context.out.result(explanation, (page) => page.lines(explanationLines(explanation)));
    return undefined;
  });
}
