import type { CommandContext } from '@holdfast/cli';

import { allWorkers } from '../../service/workers.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly options: RingmasterContext['options'];
}

export async function run(context: CommandContext<Input>): Promise<void> {
  await withRingmaster(context, async (rm) => {
    const stats = allWorkers(rm);
    context.out.result(stats, (page) =>
      page.table(stats, [
        { heading: 'ID', value: ({ worker_id }) => worker_id },
        { heading: 'ATTEMPTS', value: ({ attempts }) => attempts, align: 'right' },
        { heading: 'DONE', value: ({ succeeded }) => succeeded, align: 'right' },
        { heading: 'FAILED', value: ({ failed }) => failed, align: 'right' },
        { heading: 'OTHER', value: ({ other }) => other, align: 'right' },
        { heading: 'SUCCESS', value: ({ success_rate }) => rounded(success_rate, 2), align: 'right' },
        { heading: 'SECONDS', value: ({ average_seconds }) => rounded(average_seconds, 1), align: 'right' },
        { heading: 'TURNS', value: ({ iterations }) => iterations, align: 'right' },
        { heading: 'USD', value: ({ cost_usd }) => rounded(cost_usd, 2), align: 'right' },
      ]),
    );
  });
}

function rounded(value: number | null, digits: number): string {
  return value === null ? '' : value.toFixed(digits);
}
