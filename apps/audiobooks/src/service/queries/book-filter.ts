import type { Reads } from '@holdfast/keyspace';
import { isHoldfastError } from '@holdfast/base';
import type { Book } from '../../model/book.ts';
import { bookCounts, libraryCounts, NONE, progress } from '../../store/definitions.ts';
import type { Listener } from '../listener.ts';
import { criteriaOf, type CriteriaWish, type Criterion, fits } from './book-criteria.ts';

/** The part of a listener that decides which books are listed. */
export type Viewer = Pick<Listener, 'userId' | 'libraries'>;

export interface BookWish extends CriteriaWish {
  readonly library?: string | undefined;
  readonly state?: 'unstarted' | 'started' | 'finished' | 'missing' | 'deleted' | undefined;
}

/** Returns undefined for an unknown author or series, so that nothing matches. */
export async function criteriaIfKnown(reads: Reads, wish: BookWish): Promise<readonly Criterion[] | undefined> {
  try {
    return await criteriaOf(reads, wish);
  } catch (error) {
    const isUnknown = ['AUTHOR_NOT_FOUND', 'SERIES_NOT_FOUND', 'NAME_AMBIGUOUS'].some((code) =>
      isHoldfastError(error, code),
    );
    if (isUnknown) return undefined;
    throw error;
  }
}

/** Returns a filter for books that the viewer may see and that match all criteria. */
export function accepting(
  reads: Reads,
  viewer: Viewer,
  wish: BookWish,
  criteria: readonly Criterion[],
): (books: readonly (Book | undefined)[]) => Promise<readonly boolean[]> {
  const seesOf = (library: string | null): boolean =>
    viewer.libraries === 'all' || (library !== null && viewer.libraries.has(library));
  const isRight = (book: Book | undefined): book is Book =>
    book !== undefined &&
    seesOf(book.library_id) &&
    (book.deleted_at !== null) === (wish.state === 'deleted') &&
    (wish.library === undefined || book.library_id === wish.library) &&
    (wish.state !== 'missing' || book.missing_since !== null) &&
    criteria.every((criterion) => fits(book, criterion));
  const needsPlace = wish.state === 'unstarted' || wish.state === 'started' || wish.state === 'finished';
  return (books) =>
    Promise.all(
      books.map(async (book) => {
        if (!isRight(book)) return false;
        if (!needsPlace) return true;
        const place = await reads.get(progress, { user_id: viewer.userId, book_id: book.id });
        if (wish.state === 'unstarted') return place === undefined;
        return place !== undefined && place.finished === (wish.state === 'finished');
      }),
    );
}

/** Counts listed books of these libraries that match a criterion, or all of them; undefined if there is no counter. */
export async function countOf(
  reads: Reads,
  libraries: 'all' | Iterable<string>,
  criterion?: Criterion,
): Promise<number | undefined> {
  if (criterion?.kind === 'language' || criterion?.kind === 'work') return undefined;
  const key = criterion ?? { kind: 'all', value: NONE };
  if (libraries === 'all') return reads.get(bookCounts, key);
  let sum = 0;
  for (const library of libraries) sum += await reads.get(libraryCounts, { library, ...key });
  return sum;
}
