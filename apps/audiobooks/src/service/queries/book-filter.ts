import type { Reads } from '@holdfast/keyspace';
import { isHoldfastError } from '@holdfast/base';
import type { Book } from '../../model/book.ts';
import { normalizeName, normalizeText } from '../../model/normalize.ts';
import { bookCounts, libraryCounts, NONE, progress } from '../../store/definitions.ts';
import { resolveAuthor, resolveSeries } from './resolve.ts';

/** For whom something is listed. */
export interface Viewer {
  readonly userId: string;
  readonly libraries: 'all' | ReadonlySet<string>;
}

export interface BookWish {
  readonly library?: string | undefined;
  readonly author?: string | undefined;
  readonly series?: string | undefined;
  readonly narrator?: string | undefined;
  readonly genre?: string | undefined;
  readonly tag?: string | undefined;
  readonly language?: string | undefined;
  readonly state?: 'unstarted' | 'started' | 'finished' | 'missing' | 'deleted' | undefined;
}

/** What books can be counted and found by, with the value as it stands in the index. */
type Counted = 'author' | 'series' | 'narrator' | 'genre' | 'tag';
export type Criterion = { readonly kind: Counted | 'language'; readonly value: string };

/** The wish as the indexes know it; undefined when it names somebody who is not there, so that nothing fits. */
export async function criteriaOf(reads: Reads, wish: BookWish): Promise<readonly Criterion[] | undefined> {
  const { author, series, narrator, genre, tag, language } = wish;
  const found: Criterion[] = [];
  try {
    if (series !== undefined) found.push({ kind: 'series', value: (await resolveSeries(reads, series)).id });
    if (author !== undefined) found.push({ kind: 'author', value: (await resolveAuthor(reads, author)).id });
  } catch (error) {
    const isUnknown = ['AUTHOR_NOT_FOUND', 'SERIES_NOT_FOUND', 'BOOK_AMBIGUOUS'].some((code) =>
      isHoldfastError(error, code),
    );
    if (isUnknown) return undefined;
    throw error;
  }
  if (narrator !== undefined) found.push({ kind: 'narrator', value: normalizeName(narrator) });
  if (tag !== undefined) found.push({ kind: 'tag', value: tag.toLowerCase() });
  if (genre !== undefined) found.push({ kind: 'genre', value: normalizeText(genre) });
  if (language !== undefined) found.push({ kind: 'language', value: language.toLowerCase() });
  return found;
}

const fitting: Readonly<Record<Criterion['kind'], (book: Book, value: string) => boolean>> = {
  author: (book, value) => book.authors.some(({ id }) => id === value),
  series: (book, value) => book.series.some(({ id }) => id === value),
  narrator: (book, value) => book.narrators.some((name) => normalizeName(name) === value),
  genre: (book, value) => book.genres.some((genre) => normalizeText(genre) === value),
  tag: (book, value) => book.tags.some((tag) => tag.toLowerCase() === value),
  language: (book, value) => book.language?.toLowerCase() === value,
};

/** Whether each book is one that the viewer may see and asked for. */
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
    criteria.every(({ kind, value }) => fitting[kind](book, value));
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

/** How many listed books of these libraries fit one criterion, or how many there are; undefined where it is not counted. */
export async function countOf(
  reads: Reads,
  libraries: 'all' | Iterable<string>,
  criterion?: Criterion,
): Promise<number | undefined> {
  if (criterion?.kind === 'language') return undefined;
  const key = criterion ?? { kind: 'all', value: NONE };
  if (libraries === 'all') return reads.get(bookCounts, key);
  let sum = 0;
  for (const library of libraries) sum += await reads.get(libraryCounts, { library, ...key });
  return sum;
}
