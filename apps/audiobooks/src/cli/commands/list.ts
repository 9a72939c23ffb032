import { commandLineErrors, type CommandContext } from '@holdfast/cli';
import { rowOf } from '../../model/book-row.ts';
import { type GroupKind, listGroups } from '../../service/queries/list-groups.ts';
import { listBooks, type ListRequest } from '../../service/queries/list-books.ts';
import { printBooks } from '../view/books.ts';
import { withLibrary } from '../with-library.ts';

interface Input {
  readonly options: ListRequest & { readonly by: GroupKind | undefined; readonly all: boolean };
}

const FILTERS = ['author', 'series', 'narrator', 'genre', 'tag', 'language', 'work', 'missing', 'deleted'] as const;
const ALL_PAGE = 1_000;

export async function run(context: CommandContext<Input>): Promise<void> {
  const { options, out, note } = context;
  const { by, all } = options;
  const given = FILTERS.filter((filter) => options[filter] !== undefined && options[filter] !== false);
  if (given.length > 1) {
    const message = `--${given.join(' and --')} cannot be combined.`;
    throw commandLineErrors.INVALID_ARGUMENT(message, {
      hint: 'Search can: holdfast audiobooks search author:name genre:name',
    });
  }
  if (by !== undefined) {
    const groups = await withLibrary(context, (audiobooks) =>
      pages(all, options, (page) => listGroups(audiobooks, by, page)),
    );
    out.result(groups.items, (page) =>
      page.table(groups.items, [
        { heading: 'NAME', value: ({ name }) => name, flexible: true },
        { heading: 'BOOKS', value: ({ books }) => String(books), align: 'right' },
        { heading: 'ID', value: ({ id }) => id },
      ]),
    );
    if (groups.cursor !== undefined) note(`There are more: --cursor ${groups.cursor}`);
    return;
  }
  const { items, cursor } = await withLibrary(context, (audiobooks) =>
    pages(all, options, async (page) => {
      const found = await listBooks(audiobooks, { ...options, ...page });
      return { items: found.items.map(rowOf), cursor: found.cursor };
    }),
  );
  out.result(items, (page) => printBooks(page, items, "No books. Use 'holdfast audiobooks scan DIR' to find some."));
  if (cursor !== undefined) note(`There are more: --cursor ${cursor}`);
}

interface PageRequest {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

interface Found<Item> {
  readonly items: readonly Item[];
  readonly cursor: string | undefined;
}

/** One page, or all of them one after the other. */
async function pages<Item>(
  all: boolean,
  { limit, cursor }: PageRequest,
  read: (page: PageRequest) => Promise<Found<Item>>,
): Promise<Found<Item>> {
  if (!all) return read({ limit, cursor });
  const items: Item[] = [];
  let next = cursor;
  do {
    const page = await read({ limit: ALL_PAGE, cursor: next });
    items.push(...page.items);
    next = page.cursor;
  } while (next !== undefined);
  return { items, cursor: undefined };
}
