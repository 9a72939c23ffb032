import type { CommandContext } from '@holdfast/cli';

import { planRun } from '../../service/run/plan.ts';
import { runWorkers } from '../../service/run/run.ts';
import type { RunEvent } from '../../service/run/supervisor.ts';
import { SlotLines } from '../view/slot-lines.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly options: RingmasterContext['options'] & {
    readonly slots: number | undefined;
    readonly once: boolean;
    readonly dryRun: boolean;
  };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { options, out, env, signal, isJson, isInteractive, note } = context;
  await withRingmaster(context, async (rm) => {
    const slots = options.slots ?? rm.config.run.slots;
    const { project, once } = options;
    if (options.dryRun) {
      const planned = await planRun(rm, { slots, project });
      out.result(planned, (page) => {
        for (const { worker_id, task_id, title, command, prompt } of planned) {
          page.line(`${worker_id} would get ${task_id} ${title}: ${command.join(' ')} (${prompt})`);
        }
        if (planned.length === 0) page.line('Nothing to do');
      });
      return;
    }
    const lines =
      isInteractive && !isJson ? new SlotLines({ write: out.raw, columns: process.stdout.columns }) : undefined;
    const tell = (event: RunEvent): void => {
      if (lines !== undefined) lines.tell(event);
      // Everything a worker prints is in its log; here it would only be in the way.
      else if (event.kind !== 'output') out.item(event, (page) => page.line(plainLine(event)));
    };
    if (lines === undefined) note('Running; stop with Ctrl-C');
    const summary = await runWorkers(rm, { slots, once, project, signal, pid: process.pid, env, tell });
    lines?.finish();
    const text = `${summary.attempts} attempts, ${summary.resumed} taken over`;
    out.item({ kind: 'summary', ...summary }, (page) => page.line(text));
  });
}

function plainLine({ slot, task, worker, text, kind }: RunEvent): string {
  const where = slot === undefined ? '' : `[${slot}] `;
  const what = [task, worker].filter((word) => word !== undefined).join(' ');
  return `${where}${what}${what === '' ? '' : ': '}${kind === 'problem' ? `! ${text}` : text}`;
}
