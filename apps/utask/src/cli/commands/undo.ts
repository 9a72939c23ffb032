import { type CommandContext, commandLineErrors } from '@holdfast/cli';
import { utaskErrors } from '../../model/errors.ts';
import { type Task } from '../../model/task.ts';
import { type Change, changeOf, undoChange, undoChanges } from '../../service/history.ts';
import { lastChange, rememberChanges } from '../last-change.ts';
import { matched, taskLine } from '../view.ts';
import { type UtaskContext, withUtask } from '../with-utask.ts';

interface Input {
  readonly args: { readonly prefix: string | undefined };
  readonly options: UtaskContext['options'] & { readonly to: number | undefined };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, options, out } = context;
  if (args.prefix === undefined && options.to !== undefined) {
    throw commandLineErrors.MISSING_ARGUMENT('A revision (--to) belongs to one task: give its id.');
  }
  await withUtask(context, async (utask, config) => {
    let undone: readonly Change[];
    if (args.prefix === undefined) {
      const changes = lastChange(config);
      if (changes === undefined) throw utaskErrors.NO_HISTORY('Nothing was changed from here yet.');
      undone = await undoChanges(utask, changes);
    } else {
      const id = await utask.require(args.prefix, { withDeleted: true });
      undone = [changeOf(id, await undoChange(utask, id, { to: options.to }))];
    }
    rememberChanges(context, config, undone);
    const data = undone.map(({ id, after }) => ({ id, task: after === null ? null : (JSON.parse(after) as Task) }));
    out.result(data, (page) => {
      page.lines(data.map(({ id, task }) => (task === null ? matched('Deleted', id) : taskLine(task))));
    });
  });
}
