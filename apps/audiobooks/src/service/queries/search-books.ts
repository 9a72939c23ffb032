import { readPageByOffset } from '@holdfast/base';
import type { Page } from '@holdfast/keyspace';
import type { Book } from '../../model/book.ts';
import { books } from '../../store/definitions.ts';
import type { SearchIndex } from '../../store/search/database.ts';
import { catchUp } from '../../store/search/feed.ts';
import { matchingIds, toFullText } from '../../store/search/query.ts';
import type { Audiobooks } from '../audiobooks.ts';

export interface SearchRequest {
  readonly query: string;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Best match first. The index is brought up to the latest commit before it is asked. */
export async function searchBooks(
  { store }: Audiobooks,
  search: SearchIndex,
  { query, limit, cursor }: SearchRequest,
): Promise<Page<Book>> {
  const fullText = toFullText(query);
  if (fullText === undefined) return { items: [], cursor: undefined };
  await catchUp(search, store);
  const ids = readPageByOffset(limit, cursor, (offset, count) => matchingIds(search, fullText, count, offset));
  const found = await store.getMany(
    books,
    ids.data.map((id) => ({ id })),
  );
  const items = found.filter((book) => book !== undefined && book.deleted_at === null) as Book[];
  return { items, cursor: ids.next_cursor ?? undefined };
}
