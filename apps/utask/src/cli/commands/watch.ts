import { toTimestamp } from '@holdfast/base';
import { type CommandContext, style } from '@holdfast/cli';
import { shortId } from '../../model/id.ts';
import { taskLine } from '../view.ts';
import { type UtaskContext, withUtask } from '../with-utask.ts';

interface Input {
  readonly options: UtaskContext['options'];
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { out, signal, note } = context;
  await withUtask(context, async (utask) => {
    const known = new Map((await utask.all()).map((task) => [task.id, JSON.stringify(task)]));
    const events = await utask.watch(signal);
    note(`Watching ${utask.facts.where}. Ctrl-C ends it.`);
    for await (const { id, task, revision, at } of events) {
      const before = known.get(id);
      const after = task === undefined ? undefined : JSON.stringify(task);
      // A task that is written again unchanged has not changed.
      if (before === after) continue;
      if (after === undefined) known.delete(id);
      else known.set(id, after);
      const what = kindOf(before, after);
      const shown = task === undefined ? style.yellow(shortId(id)) : taskLine(task);
      const data = { change: what, id, task: task ?? null, revision, at: toTimestamp(at) };
      out.item(data, (page) => page.line(style.dim(what.padEnd(8)), shown));
    }
  });
}

function kindOf(before: string | undefined, after: string | undefined): 'added' | 'changed' | 'deleted' {
  if (after === undefined) return 'deleted';
  return before === undefined ? 'added' : 'changed';
}
