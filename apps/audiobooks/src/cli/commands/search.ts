import type { CommandContext } from '@holdfast/cli';
import { rowOf } from '../../model/book-row.ts';
import { searchBooks } from '../../service/queries/search-books.ts';
import { printBooks } from '../view/books.ts';
import { withLibrary } from '../with-library.ts';

interface Input {
  readonly args: { readonly words: readonly string[] };
  readonly options: { readonly limit: number; readonly cursor: string | undefined };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, options, out, note } = context;
  // The shell took the quotes away from what belonged together.
  const query = args.words
    .map((word) => (/^\p{L}+:.*\s/u.test(word) ? word.replace(/:(.*)$/u, ':"$1"') : word))
    .join(' ');
  const { items, cursor } = await withLibrary(context, async (audiobooks) =>
    searchBooks(audiobooks, await audiobooks.search(), { query, ...options }),
  );
  const rows = items.map(rowOf);
  out.result(rows, (page) => printBooks(page, rows, 'Nothing found.'));
  if (cursor !== undefined) note(`There are more: --cursor ${cursor}`);
}
