import type { CommandContext } from '@holdfast/cli';
import { LocalState } from '../adapters/local-state.ts';
import type { Task } from '../model/task.ts';
import { type Change, changeOf } from '../service/history.ts';
import type { Store } from '../store/store.ts';
import { matched, oneOrMany } from './view.ts';
import { type StoreContext, withStore } from './with-store.ts';

export interface ChangeInput {
  readonly args: { readonly prefix: readonly string[] };
  readonly options: StoreContext['options'];
}

/** A value that was no task is deleted with nothing to show but its id. */
type Changed = Task | { readonly id: string };

/** One change for each id that was given. All of them are found before the first is changed. */
export async function changeTasks(
  context: CommandContext<ChangeInput>,
  verb: 'OK' | 'Deleted',
  change: (store: Store, id: string) => Promise<Changed>,
): Promise<void> {
  await withStore(context, async (store, config) => {
    const ids = await Promise.all(context.args.prefix.map((prefix) => store.require(prefix)));
    const tasks: Changed[] = [];
    for (const id of new Set(ids)) tasks.push(await change(store, id));
    const last = new LocalState<readonly Change[]>('last-change', config);
    last.write(tasks.map((task) => changeOf(task.id, verb === 'Deleted' ? undefined : (task as Task))));
    const show = tasks.map(({ id }) => matched(verb, id));
    context.out.result(oneOrMany(tasks, ids.length === 1), (page) => page.lines(show));
  });
}
