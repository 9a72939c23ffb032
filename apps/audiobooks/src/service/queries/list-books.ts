import type { Page } from '@holdfast/keyspace';
import type { Book } from '../../model/book.ts';
import { books } from '../../store/definitions.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { criteriaOf, type CriteriaWish, fittingPage } from './book-criteria.ts';

/** At most one of the filters; for more than one there is the search. */
interface BookFilter extends CriteriaWish {
  readonly work?: string | undefined;
  readonly missing?: boolean | undefined;
  readonly deleted?: boolean | undefined;
}

export interface ListRequest extends BookFilter {
  readonly sort?: 'title' | 'author' | 'added' | undefined;
  readonly reverse?: boolean | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** One page, straight from the index that has these books in this order: two reads per book. */
export function listBooks({ store }: Audiobooks, request: ListRequest): Promise<Page<Book>> {
  const page = { limit: request.limit, reverse: request.reverse ?? false, cursor: request.cursor };
  return store.snapshot(async (reads) => {
    const { work } = request;
    const [criterion] = await criteriaOf(reads, request);
    if (criterion !== undefined) return fittingPage(reads, criterion, page);
    if (work !== undefined) return reads.page(books.by.work, { work_id: work }, page);
    if (request.missing === true) return reads.page(books.by.missing, {}, page);
    if (request.deleted === true) return reads.page(books.by.deleted, {}, page);
    if (request.sort === 'author') return reads.page(books.by.sortAuthor, {}, page);
    // The newest first: ids grow with time.
    if (request.sort === 'added') return reads.page(books, {}, { ...page, reverse: !page.reverse });
    return reads.page(books.by.sortTitle, {}, page);
  });
}
