import type { CommandContext } from '@holdfast/cli';

import { claimNext } from '../../service/claim.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly args: { readonly worker: string };
  readonly options: RingmasterContext['options'] & {
    readonly pid: number | undefined;
    readonly lease: number | undefined;
  };
}

export async function run(context: CommandContext<Input>): Promise<void | 3> {
  const { args, options, out } = context;
  return withRingmaster(context, async (rm) => {
    const { project, pid, lease } = options;
    const claimed = await claimNext(rm, { worker: args.worker, project, pid, lease_seconds: lease });
    if (claimed === undefined) {
      out.result(null, (page) => page.line('Nothing to do'));
      return 3;
    }
    const { task, attempt } = claimed;
    const { id: token, lease_expires_at, number } = attempt;
    out.result({ token, attempt: number, lease_expires_at, task }, (page) => {
      page.line(`${task.id} ${task.title}`);
      page.line(`Token ${token}, lease until ${lease_expires_at}`);
    });
    return undefined;
  });
}
