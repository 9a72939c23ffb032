import type { CommandContext } from '@holdfast/cli';

import { metrics } from '../../service/metrics.ts';
import { type CodexContext, withCodex } from '../with-codex.ts';

interface Input {
  readonly options: CodexContext['options'];
}

export async function run(context: CommandContext<Input>): Promise<void> {
  await withCodex(context, async (engine) => {
    const found = metrics(engine.codex);
    const names = new Map(engine.notebooks().map(({ id, name }) => [id, name]));
    context.out.result(found, (page) => {
      page.fields([
        ['waiting', `${found.pending}, the oldest for ${found.oldest_pending_seconds.toFixed(1)} s`],
        ['under way', String(found.processing)],
        ['failed', `${found.dead}, ${found.failed_24h} of them in the last day`],
        ['done', `${found.completed_24h} in the last day`],
      ]);
      page.table(found.notebooks, [
        { heading: 'NOTEBOOK', value: ({ notebook_id }) => names.get(notebook_id) ?? '', flexible: true },
        { heading: 'WAITING', value: ({ pending }) => String(pending) },
        { heading: 'FAILED', value: ({ dead }) => String(dead) },
        { heading: 'NOT COMMITTED', value: ({ git_pending }) => String(git_pending) },
      ]);
    });
  });
}
