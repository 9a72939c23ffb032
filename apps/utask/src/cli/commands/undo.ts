import type { CommandContext } from '@holdfast/cli';
import { LocalState } from '../../adapters/local-state.ts';
import { utaskErrors } from '../../model/errors.ts';
import { type Task } from '../../model/task.ts';
import { type Change, changeOf, undoChange, undoChanges } from '../../service/history.ts';
import { matched, taskLine } from '../view.ts';
import { type StoreContext, withStore } from '../with-store.ts';

interface Input {
  readonly args: { readonly prefix: string | undefined };
  readonly options: StoreContext['options'] & { readonly to: number | undefined };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, options, out } = context;
  await withStore(context, async (store, config) => {
    const last = new LocalState<readonly Change[]>('last-change', config);
    let undone: readonly Change[];
    if (args.prefix === undefined) {
      const changes = last.read();
      if (changes === undefined) throw utaskErrors.NO_HISTORY('Nothing was changed from here yet.');
      undone = await undoChanges(store, changes);
    } else {
      const id = await store.require(args.prefix, { withDeleted: true });
      undone = [changeOf(id, await undoChange(store, id, options.to))];
    }
    last.write(undone);
    const data = undone.map(({ id, after }) => ({ id, task: after === null ? null : (JSON.parse(after) as Task) }));
    out.result(data, (page) => {
      page.lines(data.map(({ id, task }) => (task === null ? matched('Deleted', id) : taskLine(task))));
    });
  });
}
