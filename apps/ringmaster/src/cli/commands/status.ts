import type { CommandContext } from '@holdfast/cli';

import { statusOf } from '../../service/status.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly options: RingmasterContext['options'];
}

export async function run(context: CommandContext<Input>): Promise<void> {
  await withRingmaster(context, async (rm) => {
    const status = statusOf(rm, context.options);
    context.out.result(status, (page) => {
      page.fields([
        ['can begin now', String(status.ready)],
        ['being worked on', String(status.running)],
        ...Object.entries(status.tasks).map(([name, count]) => [`tasks ${name}`, String(count)] as const),
        [
          'workers',
          Object.entries(status.workers)
            .map(([name, count]) => `${count} ${name}`)
            .join(', ') || 'none',
        ],
        ['open decisions', String(status.open_decisions)],
        ['open questions', String(status.open_questions)],
        ['ranks', status.ranks_are_current ? 'current' : 'of an earlier graph'],
        ['last backup', status.last_backup ?? 'none'],
      ]);
    });
  });
}
