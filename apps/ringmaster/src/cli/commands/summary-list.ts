import type { CommandContext } from '@holdfast/cli';

import { allSummaries } from '../../service/summaries.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly options: RingmasterContext['options'];
}

export async function run(context: CommandContext<Input>): Promise<void> {
  await withRingmaster(context, async (rm) => {
    const summaries = allSummaries(rm, context.options);
    context.out.result(summaries, (page) =>
      page.lines(summaries.map((one) => `${one.message_range_start}-${one.message_range_end}: ${one.summary}`)),
    );
  });
}
