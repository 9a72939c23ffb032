import type { CommandContext } from '@holdfast/cli';

import { rank } from '../../service/rank.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly options: RingmasterContext['options'];
}

export async function run(context: CommandContext<Input>): Promise<void> {
  await withRingmaster(context, async (rm) => {
    using bar = context.progress('Ranking');
    const ranked = await rank(rm);
    bar.advance();
    const how = ranked.is_approximate === 1 ? `, betweenness from ${ranked.sampled_tasks} of them` : '';
    context.out.result(ranked, (page) => page.line(`Ranked ${ranked.tasks} tasks with ${ranked.links} links${how}`));
  });
}
