import type { CommandContext } from '@holdfast/cli';

import { pauseWorker } from '../../service/workers.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly args: { readonly worker: string };
  readonly options: RingmasterContext['options'] & { readonly online: boolean };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  await withRingmaster(context, async (rm) => {
    const worker = await pauseWorker(rm, { worker: context.args.worker, paused: !context.options.online });
    context.out.result(worker, (page) => page.line(`${worker.id} is ${worker.status}`));
  });
}
