import type { CommandContext } from '@holdfast/cli';

import { pauseAll, pauseWorker } from '../../service/workers.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly args: { readonly worker: string | undefined };
  readonly options: RingmasterContext['options'] & { readonly paused: boolean };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, options, out } = context;
  const what = options.paused ? 'paused' : 'going on';
  await withRingmaster(context, async (rm) => {
    if (args.worker === undefined) await pauseAll(rm, options);
    else await pauseWorker(rm, { worker: args.worker, paused: options.paused });
    const data = { worker_id: args.worker ?? null, is_paused: options.paused };
    out.result(data, (page) => page.line(`${args.worker ?? 'Everything'} is ${what}`));
  });
}
