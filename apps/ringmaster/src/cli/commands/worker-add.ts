import type { CommandContext } from '@holdfast/cli';

import { addWorker } from '../../service/workers.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly args: { readonly worker: string };
  readonly options: RingmasterContext['options'] & {
    readonly name: string | undefined;
    readonly type: string;
    readonly command: string;
    readonly capability: readonly string[];
    readonly maxConcurrent: number | undefined;
    readonly timeout: number | undefined;
  };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, options, out } = context;
  await withRingmaster(context, async (rm) => {
    const { name, type, command, capability, maxConcurrent, timeout } = options;
    const worker = await addWorker(rm, {
      id: args.worker,
      name,
      type,
      command,
      capabilities: capability,
      max_concurrent: maxConcurrent,
      timeout_seconds: timeout,
    });
    out.result(worker, (page) => page.line(worker.id));
  });
}
