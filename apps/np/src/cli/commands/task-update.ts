import type { CommandContext } from '@holdfast/cli';
import type { TaskUpdate } from '../../model/reason.ts';
import { updateTasks } from '../../service/update-tasks.ts';
import { answerChange } from '../answer.ts';
import { textReader } from '../texts.ts';
import { updateBatches } from '../update-batches.ts';
import { type NpContext, withNp } from '../with-np.ts';

export async function run(context: CommandContext<{ readonly options: NpContext['options'] }>): Promise<void> {
  const { given, note } = context;
  const read = textReader(context.stdin);
  const updates: TaskUpdate[] = [];
  for (const update of updateBatches(given)) {
    const title = await read(update.title);
    const description = await read(update.description);
    updates.push({ ...update, title, description });
  }
  await withNp(context, (np, named) =>
    answerChange(np, named, context, async (call) => {
      const updated = await updateTasks(np, { ...call, updates });
      for (const { task, hasChanged } of updated) if (!hasChanged) note(`Task ${task.id} is like that already.`);
      return { updated: updated.map(({ task, hasChanged }) => ({ id: task.id, changed: hasChanged })) };
    }),
  );
}
