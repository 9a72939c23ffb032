import type { CommandContext } from '@holdfast/cli';
import { encodeTask, type Task } from '../model/task.ts';
import { type Change, changeOf } from '../service/history.ts';
import type { Utask, TaskChange } from '../service/utask.ts';
import { rememberChanges } from './last-change.ts';
import { matched, oneOrMany } from './view.ts';
import { type UtaskContext, withUtask } from './with-utask.ts';

export interface ChangeInput {
  readonly args: { readonly prefix: readonly string[] };
  readonly options: UtaskContext['options'];
}

/** A value that was no task is deleted with nothing to show but its id. */
type Shown = Task | { readonly id: string };

interface Outcome {
  readonly shown: Shown;
  /** Undefined when the task was as wanted already. */
  readonly change: Change | undefined;
}

/** One change for each id that was given. All of them are found before the first is changed. */
export async function changeTasks(
  context: CommandContext<ChangeInput>,
  verb: 'OK' | 'Deleted',
  changeOne: (utask: Utask, id: string) => Promise<Outcome>,
): Promise<void> {
  await withUtask(context, async (utask, config) => {
    const ids = await Promise.all(context.args.prefix.map((prefix) => utask.require(prefix)));
    const outcomes: Outcome[] = [];
    try {
      for (const id of new Set(ids)) outcomes.push(await changeOne(utask, id));
    } finally {
      const changes = outcomes.flatMap(({ change }) => (change === undefined ? [] : [change]));
      rememberChanges(context, config, changes);
    }
    const tasks = outcomes.map(({ shown }) => shown);
    const show = tasks.map(({ id }) => matched(verb, id));
    context.out.result(oneOrMany(tasks, ids.length === 1), (page) => page.lines(show));
  });
}

export async function modified(utask: Utask, id: string, change: (task: Task) => TaskChange): Promise<Outcome> {
  let before = '';
  const task = await utask.modify(id, (current) => {
    before = encodeTask(current);
    return change(current);
  });
  return { shown: task, change: encodeTask(task) === before ? undefined : changeOf(id, task) };
}
