import type { CommandContext } from '@holdfast/cli';
import { rowOf } from '../../model/book-row.ts';
import { type GroupKind, listGroups } from '../../service/queries/list-groups.ts';
import { listBooks, type ListRequest } from '../../service/queries/list-books.ts';
import { printBooks } from '../view/books.ts';
import { withLibrary } from '../with-library.ts';

interface Input {
  readonly options: ListRequest & { readonly by: GroupKind | undefined };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { options, out, note } = context;
  const { by } = options;
  if (by !== undefined) {
    const groups = await withLibrary(context, (catalogue) => listGroups(catalogue, by, options));
    out.result(groups.items, (page) =>
      page.table(groups.items, [
        { heading: 'name', value: ({ name }) => name, flexible: true },
        { heading: 'books', value: ({ books }) => String(books), align: 'right' },
        { heading: 'id', value: ({ id }) => id },
      ]),
    );
    if (groups.cursor !== undefined) note(`There are more: --cursor ${groups.cursor}`);
    return;
  }
  const { items, cursor } = await withLibrary(context, (catalogue) => listBooks(catalogue, options));
  const rows = items.map(rowOf);
  out.result(rows, (page) => printBooks(page, rows, "No books. Use 'holdfast audiobooks scan DIR' to find some."));
  if (cursor !== undefined) note(`There are more: --cursor ${cursor}`);
}
