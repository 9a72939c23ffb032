import type { Page } from '@holdfast/keyspace';
import type { Book } from '../../model/book.ts';
import { normalizeName, normalizeText } from '../../model/normalize.ts';
import { books } from '../../store/definitions.ts';
import type { Catalogue } from '../catalogue.ts';
import { resolveAuthor, resolveSeries } from './resolve.ts';

/** At most one of the filters; for more than one there is the search. */
interface BookFilter {
  readonly author?: string | undefined;
  readonly series?: string | undefined;
  readonly narrator?: string | undefined;
  readonly genre?: string | undefined;
  readonly tag?: string | undefined;
  readonly language?: string | undefined;
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
export function listBooks({ store }: Catalogue, request: ListRequest): Promise<Page<Book>> {
  const page = { limit: request.limit, reverse: request.reverse ?? false, cursor: request.cursor };
  return store.snapshot(async (reads) => {
    const { author, series, narrator, genre, tag, language, work } = request;
    if (author !== undefined) {
      return reads.page(books.by.author, { author: (await resolveAuthor(reads, author)).id }, page);
    }
    if (series !== undefined) {
      return reads.page(books.by.series, { series: (await resolveSeries(reads, series)).id }, page);
    }
    if (narrator !== undefined) return reads.page(books.by.narrator, { narrator: normalizeName(narrator) }, page);
    if (genre !== undefined) return reads.page(books.by.genre, { genre: normalizeText(genre) }, page);
    if (tag !== undefined) return reads.page(books.by.tag, { tag: tag.toLowerCase() }, page);
    if (language !== undefined) return reads.page(books.by.language, { language: language.toLowerCase() }, page);
    if (work !== undefined) return reads.page(books.by.work, { work_id: work }, page);
    if (request.missing === true) return reads.page(books.by.missing, {}, page);
    if (request.deleted === true) return reads.page(books.by.deleted, {}, page);
    if (request.sort === 'author') return reads.page(books.by.sortAuthor, {}, page);
    // The newest first: ids grow with time.
    if (request.sort === 'added') return reads.page(books, {}, { ...page, reverse: !page.reverse });
    return reads.page(books.by.sortTitle, {}, page);
  });
}
