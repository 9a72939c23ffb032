import { type CommandContext, commandLineErrors, optionBatches } from '@holdfast/cli';
import { addTasks } from '../../service/add-tasks.ts';
import { answerChange } from '../answer.ts';
import { textReader } from '../texts.ts';
import { type NpContext, withNp } from '../with-np.ts';

interface Input {
  readonly options: NpContext['options'] & { readonly reason: string | undefined };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { given, options, note } = context;
  const read = textReader(context.stdin);
  const tasks: { title: string; description: string }[] = [];
  const batches = optionBatches<{ title: string; description: string }>(given, ['title', 'description']);
  for (const { title, description = '' } of batches) {
    if (title === undefined) throw commandLineErrors.MISSING_OPTION('A description (-d) has no title (-t).');
    tasks.push({ title: await read(title), description: await read(description) });
  }
  await withNp(context, (np, named) =>
    answerChange(np, named, context, async (call) => {
      const added = await addTasks(np, { ...call, tasks, reason: options.reason });
      for (const { task, isNew } of added) if (!isNew) note(`Task ${task.id} is in the plan already.`);
      return { added: added.map(({ task, isNew }) => ({ id: task.id, created: isNew })) };
    }),
  );
}
