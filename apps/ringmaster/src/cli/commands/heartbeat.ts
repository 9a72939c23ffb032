import type { CommandContext } from '@holdfast/cli';

import { heartbeat } from '../../service/heartbeat.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly options: RingmasterContext['options'] & {
    readonly token: number;
    readonly progress: string | undefined;
    readonly lease: number | undefined;
  };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { token, progress, lease } = context.options;
  await withRingmaster(context, async (rm) => {
    const answer = await heartbeat(rm, { token, progress, lease_seconds: lease });
    context.out.result(answer, (page) =>
      page.line(answer.cancel ? 'Stop: this task was cancelled' : `Lease until ${answer.lease_expires_at}`),
    );
  });
}
