import type { CommandContext } from '@holdfast/cli';

import { primer } from '../../service/prime.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly options: RingmasterContext['options'];
}

export async function run(context: CommandContext<Input>): Promise<void> {
  await withRingmaster(context, async (rm) => {
    const text = primer(rm, context.options);
    context.out.result({ text }, (page) => page.lines(text.split('\n')));
  });
}
