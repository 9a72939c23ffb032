import type { CommandContext } from '@holdfast/cli';

import { cleanUp } from '../../service/cleanup.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly options: RingmasterContext['options'];
}

export async function run(context: CommandContext<Input>): Promise<void> {
  await withRingmaster(context, async (rm) => {
    const result = await cleanUp(rm);
    const { archived, logs, events } = result;
    context.out.result(result, (page) =>
      page.line(`${archived} tasks archived, ${logs} logs and ${events} events deleted`),
    );
  });
}
