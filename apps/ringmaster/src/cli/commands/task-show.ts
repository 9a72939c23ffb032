import { type CommandContext, style } from '@holdfast/cli';

import { showTask } from '../../service/show-task.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly args: { readonly task: string };
  readonly options: RingmasterContext['options'];
}

export async function run(context: CommandContext<Input>): Promise<void> {
  await withRingmaster(context, async (rm) => {
    const shown = showTask(rm, context.args.task);
    const { task } = shown;
    context.out.result(shown, (page) => {
      page.line(style.bold(task.id), ' ', task.title);
      page.fields([
        ['type', task.type],
        ['status', task.blocked_reason === null ? task.status : `${task.status}: ${task.blocked_reason}`],
        ['priority', `${task.priority} (score ${task.combined_priority.toFixed(3)})`],
        ...(task.parent_id === null ? [] : ([['part of', task.parent_id]] as const)),
        ['depends on', shown.dependencies.map(({ parent_id, status }) => `${parent_id} (${status})`).join(', ')],
        ['holds up', shown.dependents.map(({ child_id }) => child_id).join(', ')],
        ['attempts', `${task.attempts} (${task.failures} failed of at most ${task.max_attempts})`],
        ...(shown.children.length === 0
          ? []
          : ([['parts', `${shown.progress.done} of ${shown.progress.total} done`]] as const)),
      ]);
      for (const reason of shown.held_because) page.line(style.dim(`cannot begin: ${reason}`));
      if (task.description !== null) page.line('\n', task.description);
    });
  });
}
