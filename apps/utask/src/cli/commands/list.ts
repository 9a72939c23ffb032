import type { CommandContext } from '@holdfast/cli';
import { byCreation, type Task } from '../../model/task.ts';
import { splitWords, taskLine } from '../view.ts';
import { type UtaskContext, withUtask } from '../with-utask.ts';

interface Input {
  readonly args: { readonly words: readonly string[] };
  readonly options: UtaskContext['options'] & {
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
  const { args, options, out } = context;
  const wanted = stateWanted(options);
  const words = args.words.map((word) => word.toLowerCase());
  await withUtask(context, async (utask) => {
    const found = await utask.query({ any: splitWords(options.any), all: splitWords(options.all) });
    const matching = found.filter(
      ({ done, text }) => (wanted === undefined || done === wanted) && hasAll(text.toLowerCase(), words),
    );
    const ordered = options.sort === 'created' ? matching : [...matching].sort(orders[options.sort]);
    const tasks = options.limit === undefined ? ordered : ordered.slice(0, options.limit);
    out.result(tasks, (page) => page.lines(tasks.map(taskLine)));
    if (tasks.length === 0 && context.isInteractive) context.note('No tasks like this.');
  });
}

function hasAll(text: string, words: readonly string[]): boolean {
  return words.every((word) => text.includes(word));
}

/** Undefined for both: `--open --done` asks for everything. */
function stateWanted({ open, done, status }: Input['options']): boolean | undefined {
  const wantsOpen = open || status === 'open';
  const wantsDone = done || status === 'closed';
  return wantsOpen === wantsDone ? undefined : wantsDone;
}
