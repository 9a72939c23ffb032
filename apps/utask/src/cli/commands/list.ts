import type { CommandContext } from '@holdfast/cli';
import { byCreation, type Task } from '../../model/task.ts';
import { splitWords, taskLine } from '../view.ts';
import { type StoreContext, withStore } from '../with-store.ts';

interface Input {
  readonly options: StoreContext['options'] & {
    readonly any: readonly string[];
    readonly all: readonly string[];
    readonly open: boolean;
    readonly done: boolean;
    readonly status: 'open' | 'closed' | undefined;
    readonly limit: number | undefined;
    readonly sort: 'created' | 'newest' | 'text';
  };
}

const orders = {
  created: byCreation,
  newest: (left: Task, right: Task) => byCreation(right, left),
  text: (left: Task, right: Task) => left.text.localeCompare(right.text) || byCreation(left, right),
} as const;

export async function run(context: CommandContext<Input>): Promise<void> {
  const { options, out } = context;
  const wanted = stateWanted(options);
  await withStore(context, async (store) => {
    const found = await store.query({ any: splitWords(options.any), all: splitWords(options.all) });
    const matching = wanted === undefined ? found : found.filter(({ done }) => done === wanted);
    const ordered = options.sort === 'created' ? matching : [...matching].sort(orders[options.sort]);
    const tasks = options.limit === undefined ? ordered : ordered.slice(0, options.limit);
    out.result(tasks, (page) => page.lines(tasks.map(taskLine)));
  });
}

/** Undefined for both: `--open --done` asks for everything. */
function stateWanted({ open, done, status }: Input['options']): boolean | undefined {
  const wantsOpen = open || status === 'open';
  const wantsDone = done || status === 'closed';
  return wantsOpen === wantsDone ? undefined : wantsDone;
}
