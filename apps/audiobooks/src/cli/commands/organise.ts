import { type CommandContext, type Page, style } from '@holdfast/cli';
import { DEFAULT_TEMPLATE, organiseBooks, planRename } from '../../service/organise-books.ts';
import type { RenamePlan } from '../../model/engines.ts';
import { chosenLibrary } from '../chosen-library.ts';
import { barFor } from '../progress.ts';
import { printOutcome } from '../view/operation.ts';
import { personOf, withLibrary } from '../with-library.ts';

interface Input {
  readonly args: { readonly books: readonly string[] };
  readonly options: {
    readonly template: string | undefined;
    readonly apply: boolean;
    readonly library: string | undefined;
  };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, options, out, env, signal } = context;
  const books = args.books.length === 0 ? undefined : args.books;
  const template = options.template ?? DEFAULT_TEMPLATE;
  using bar = barFor(context, 'Moving');
  await withLibrary(context, async (audiobooks) => {
    const library = await chosenLibrary(audiobooks, options.library, args.books);
    if (!options.apply) {
      const plan = await planRename(audiobooks, { library, template, books });
      out.result({ library: library.id, template, ...plan }, (page) => printPlan(page, plan));
      return;
    }
    const request = { library, template, books, by: personOf(env), signal, onProgress: bar.onProgress };
    const operation = await organiseBooks(audiobooks, request);
    out.result({ operation: operation.id, ...operation.result }, (page) => {
      printOutcome(page, operation);
      if (operation.undoable) page.line(`Undo: holdfast audiobooks undo ${operation.id}`);
    });
  });
}

function printPlan(page: Page, { moves, refusals }: RenamePlan): void {
  for (const { from, to } of moves) page.lines([style.dim(from), [style.green('  → '), to]]);
  for (const { bookId, title, path, reason } of refusals)
    page.lines([
      [style.red('refused '), title, style.dim(`  ${bookId}`)],
      [style.dim('  → '), `${path}: ${reason}`],
    ]);
  if (moves.length === 0 && refusals.length === 0) page.line('Everything is in its place.');
  else
    page.line(
      `${moves.length} ${moves.length === 1 ? 'file' : 'files'} would be moved, ${refusals.length} refused. Do it with --apply.`,
    );
}
