import type { CommandContext } from '@holdfast/cli';

import { undo } from '../../service/undo.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly options: RingmasterContext['options'];
}

export async function run(context: CommandContext<Input>): Promise<void> {
  await withRingmaster(context, async (rm) => {
    const { revision, note } = await undo(rm);
    context.out.result({ revision, note }, (page) => page.line(`Undone: ${note}`));
  });
}
