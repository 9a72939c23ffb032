import type { CommandContext } from '@holdfast/cli';

import { reapExpired } from '../../service/reap.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly options: RingmasterContext['options'];
}

export async function run(context: CommandContext<Input>): Promise<void> {
  await withRingmaster(context, async (rm) => {
    const tasks = await reapExpired(rm);
    context.out.result(tasks, (page) => page.lines(tasks.map((id) => `${id} was taken back`)));
  });
}
