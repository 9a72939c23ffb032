import type { CommandContext } from '@holdfast/cli';
import { encodeTask, type Task } from '../model/task.ts';
import { type Change, changeOf } from '../service/history.ts';
import type { Store, TaskChange } from '../store/store.ts';
import { rememberChanges } from './last-change.ts';
import { matched, oneOrMany } from './view.ts';
import { type StoreContext, withStore } from './with-store.ts';

export interface ChangeInput {
  readonly args: { readonly prefix: readonly string[] };
  readonly options: StoreContext['options'];
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
  changeOne: (store: Store, id: string) => Promise<Outcome>,
): Promise<void> {
  await withStore(context, async (store, config) => {
    const ids = await Promise.all(context.args.prefix.map((prefix) => store.require(prefix)));
    const outcomes: Outcome[] = [];
    try {
      for (const id of new Set(ids)) outcomes.push(await changeOne(store, id));
    } finally {
      const changes = outcomes.flatMap(({ change }) => (change === undefined ? [] : [change]));
      rememberChanges(context, config, changes);
    }
    const tasks = outcomes.map(({ shown }) => shown);
    const show = tasks.map(({ id }) => matched(verb, id));
    context.out.result(oneOrMany(tasks, ids.length === 1), (page) => page.lines(show));
  });
}

export async function modified(store: Store, id: string, change: (task: Task) => TaskChange): Promise<Outcome> {
  let before = '';
  const task = await store.modify(id, (current) => {
    before = encodeTask(current);
    return change(current);
  });
  return { shown: task, change: encodeTask(task) === before ? undefined : changeOf(id, task) };
}
