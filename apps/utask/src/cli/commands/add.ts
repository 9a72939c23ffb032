import { type CommandContext, commandLineErrors } from '@holdfast/cli';
import { LocalState } from '../../adapters/local-state.ts';
import type { Task } from '../../model/task.ts';
import { addTasks } from '../../service/add-task.ts';
import { changeOf } from '../../service/history.ts';
import { rememberChanges } from '../last-change.ts';
import { oneOrMany, taskLine } from '../view.ts';
import { type UtaskContext, withUtask } from '../with-utask.ts';

interface Input {
  readonly args: { readonly text: readonly string[] };
  readonly options: UtaskContext['options'] & { readonly tag: readonly string[]; readonly title: string | undefined };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, options, out, stdin } = context;
  // Quotes are not needed: all the words are one task.
  const given = args.text.length > 0 ? args.text.join(' ') : options.title;
  if (given === undefined && stdin.isTerminal) {
    throw commandLineErrors.MISSING_ARGUMENT('What is to be done? Give a text, or lines on standard input.');
  }
  const fromInput = given === undefined || given === '-';
  await withUtask(context, async (utask, config) => {
    const unconfirmed = new LocalState<readonly Task[]>('unconfirmed', config);
    const texts = fromInput ? written(stdin.lines()) : [given];
    const { added, failures } = await addTasks(utask, unconfirmed, texts, options.tag);
    const changes = added.map((task) => changeOf(task.id, task));
    rememberChanges(context, config, changes);
    if (added.length > 0 || failures.length === 0) {
      out.result(oneOrMany(added, !fromInput), (page) => page.lines(added.map(taskLine)));
    }
    if (failures.length === 0) return;
    if (added.length > 0) context.note("These were added before something went wrong; 'ut undo' takes them back.");
    throw failures[0];
  });
}

async function* written(lines: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  for await (const line of lines) if (line.trim() !== '') yield line;
}
