import type { Page } from '@holdfast/keyspace';
import type { GroupKind } from '../../model/choices.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { countOf, type Viewer } from './book-filter.ts';
import { filteredPage } from './filtered-page.ts';
import { type Group, type GroupRequest, listGroups } from './list-groups.ts';

/** Lists groups with at least one visible book, and counts those books. */
export async function visibleGroups(
  audiobooks: Audiobooks,
  { libraries }: Viewer,
  kind: GroupKind,
  { limit, cursor }: GroupRequest,
): Promise<Page<Group>> {
  const { store } = audiobooks;
  return filteredPage({
    read: async (wanted, place) => {
      const page = await listGroups(audiobooks, kind, { limit: wanted, cursor: place });
      if (libraries === 'all') return page;
      const counted = page.items.map(async (group) => {
        const books = await countOf(store, libraries, { kind, value: group.id });
        return { ...group, books: books ?? 0 };
      });
      return { items: await Promise.all(counted), cursor: page.cursor };
    },
    accept: (groups) => Promise.resolve(groups.map(({ books }) => books > 0)),
    limit,
    cursor,
  });
}
