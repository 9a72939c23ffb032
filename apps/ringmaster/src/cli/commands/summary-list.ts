import type { CommandContext } from '@holdfast/cli';

import { listSummaries } from '../../store/summaries.ts';
import { chosenProject } from '../../store/projects.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly options: RingmasterContext['options'];
}

export async function run(context: CommandContext<Input>): Promise<void> {
  await withRingmaster(context, async ({ store }) => {
    const summaries = listSummaries(store.reader, chosenProject(store.reader, context.options.project).id);
    context.out.result(summaries, (page) =>
      page.lines(summaries.map((one) => `${one.message_range_start}-${one.message_range_end}: ${one.summary}`)),
    );
  });
}
