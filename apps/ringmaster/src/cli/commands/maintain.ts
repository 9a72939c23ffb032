import type { CommandContext } from '@holdfast/cli';

import { maintainOnce, runMaintenance } from '../../service/maintenance.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly options: RingmasterContext['options'] & { readonly once: boolean };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { options, out, note } = context;
  await withRingmaster(context, async (rm) => {
    if (options.once) {
      const steps = await maintainOnce(rm);
      out.result(steps, (page) => page.lines(steps));
      return;
    }
    note('Running maintenance; stop with Ctrl-C');
    await runMaintenance(rm, {
      signal: context.signal,
      pid: process.pid,
      onStep: (text) => out.item({ step: text }, (page) => page.line(text)),
    });
  });
}
