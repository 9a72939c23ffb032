import { isHoldfastError, readPageByOffset } from '@holdfast/base';
import { compareKeys, type Page, type PageOptions, type Reads } from '@holdfast/keyspace';
import type { Book } from '../../model/book.ts';
import type { BookOrder } from '../../model/choices.ts';
import { normalizeName, normalizeText } from '../../model/normalize.ts';
import { bookCounts, books, libraryCounts, NONE, progress } from '../../store/definitions.ts';
import { catchUp, matchingIds, type SearchIndex, toFullText } from '../../store/search.ts';
import type { Audiobooks } from '../audiobooks.ts';
import type { Listener } from '../listener.ts';
import { resolveAuthor, resolveSeries } from './resolve.ts';

export interface BrowseRequest extends BookWish {
  readonly q?: string | undefined;
  readonly sort?: BookOrder;
  readonly reverse?: boolean;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

interface Browsed extends Page<Book> {
  /** Exact, or undefined if unknown. */
  readonly total: number | undefined;
}

/** Maximum number of books that are loaded and sorted in memory. */
const LOADED_MAX = 1_000;

const NOTHING: Browsed = { items: [], cursor: undefined, total: 0 };

type Read = (limit: number, cursor: string | undefined) => Promise<Page<Book | undefined>>;

/**
 * Lists the books that a viewer may see, with any filters and in any order. Reads from one index and applies the other
 * filters to its books. Sorts a small set in memory; for a large one, walks the index that has the requested order.
 */
export async function browseBooks(
  { store, reader, search: openSearch }: Audiobooks,
  viewer: Viewer,
  given: BrowseRequest,
): Promise<Browsed> {
  const request = { sort: 'title', reverse: false, ...given } as const;
  const search = given.q === undefined ? undefined : await openSearch();
  if (search !== undefined) await catchUp(search, store, reader);
  return reader.snapshot(async (reads) => {
    const criteria = await criteriaIfKnown(reads, request);
    const isHidden =
      request.library !== undefined && viewer.libraries !== 'all' && !viewer.libraries.has(request.library);
    if (criteria === undefined || isHidden) return NOTHING;
    const browse: Browse = { reads, search, viewer, request, criteria };
    const total = await totalOf(browse);
    const small = await smallSource(browse, total);
    if (small !== undefined) return sortedPage(browse, small);
    const page = await filteredPage({
      read: largeSource(browse),
      accept: accepting(reads, viewer, request, criteria),
      limit: request.limit,
      cursor: request.cursor,
    });
    return { items: page.items as readonly Book[], cursor: page.cursor, total };
  });
}

interface Browse {
  readonly reads: Reads;
  readonly search: SearchIndex | undefined;
  readonly viewer: Viewer;
  readonly request: BrowseRequest & Required<Pick<BrowseRequest, 'sort' | 'reverse'>>;
  readonly criteria: readonly Criterion[];
}

function librariesOf({ viewer, request }: Browse): 'all' | readonly string[] {
  if (request.library !== undefined) return [request.library];
  return viewer.libraries === 'all' ? 'all' : [...viewer.libraries];
}

async function totalOf(browse: Browse): Promise<number | undefined> {
  const { request, criteria, reads } = browse;
  if (request.q !== undefined || request.state !== undefined || criteria.length > 1) return undefined;
  return countOf(reads, librariesOf(browse), criteria[0]);
}

function criterionSource({ reads, request: { reverse } }: Browse, criterion: Criterion): Read {
  return (limit, cursor) => fittingPage(reads, criterion, { limit, cursor, reverse });
}

/** If no single index serves the request, looks for a source that is small enough to sort in memory. */
async function smallSource(browse: Browse, total: number | undefined): Promise<Read | undefined> {
  const { request, criteria, reads, viewer } = browse;
  if (request.q !== undefined) return undefined;
  const isOwnOrder = request.sort === 'title';
  if (request.state === 'started' || request.state === 'finished' || request.sort === 'recent') {
    const page = await reads.page(progress.by.recent, { user_id: viewer.userId }, { limit: LOADED_MAX });
    return page.cursor === undefined && request.sort !== 'recent' ? recentSource(browse) : undefined;
  }
  if (request.state === 'missing' || request.state === 'deleted' || (isOwnOrder && criteria.length <= 1))
    return undefined;
  let best: { readonly criterion: Criterion; readonly count: number } | undefined;
  for (const criterion of criteria) {
    const count = await countOf(reads, 'all', criterion);
    if (count !== undefined && count < (best?.count ?? LOADED_MAX)) best = { criterion, count };
  }
  if (best !== undefined) return criterionSource(browse, best.criterion);
  const [library, ...more] = librariesOf(browse) === 'all' ? [] : librariesOf(browse);
  const isSmall = criteria.length === 0 && total !== undefined && total < LOADED_MAX;
  return library !== undefined && more.length === 0 && isSmall && !isOwnOrder
    ? librarySource(browse, library)
    : undefined;
}

function librarySource({ reads, request }: Browse, library: string): Read {
  return (limit, cursor) =>
    reads.page(books.by.library, { library_id: library }, { limit, cursor, reverse: request.reverse });
}

function recentSource({ reads, request, viewer }: Browse): Read {
  return async (limit, cursor) => {
    const reverse = request.sort !== 'recent' || request.reverse;
    const places = await reads.page(progress.by.recent, { user_id: viewer.userId }, { limit, cursor, reverse });
    const found = await reads.getMany(
      books,
      places.items.map(({ book_id: id }) => ({ id })),
    );
    return { items: found, cursor: places.cursor };
  };
}

/** Returns a source that walks the index that has the requested order. */
function largeSource(browse: Browse): Read {
  const { reads, request, criteria } = browse;
  const { reverse, state, sort } = request;
  if (request.q !== undefined) return searchSource(browse, request.q);
  if (state === 'started' || state === 'finished' || sort === 'recent') return recentSource(browse);
  if (state === 'missing') return (limit, cursor) => reads.page(books.by.missing, {}, { limit, cursor, reverse });
  if (state === 'deleted') return (limit, cursor) => reads.page(books.by.deleted, {}, { limit, cursor, reverse });
  const [criterion] = criteria;
  const [library, ...more] = librariesOf(browse) === 'all' ? [] : librariesOf(browse);
  if (sort === 'title' && criterion !== undefined) return criterionSource(browse, criterion);
  if (sort === 'title' && library !== undefined && more.length === 0) return librarySource(browse, library);
  if (sort === 'author') return (limit, cursor) => reads.page(books.by.sortAuthor, {}, { limit, cursor, reverse });
  if (sort === 'duration') return (limit, cursor) => reads.page(books.by.sortDuration, {}, { limit, cursor, reverse });
  // Ids are ordered by time of creation.
  if (sort === 'added') return (limit, cursor) => reads.page(books, {}, { limit, cursor, reverse });
  return (limit, cursor) => reads.page(books.by.sortTitle, {}, { limit, cursor, reverse });
}

/** Returns a source with the best matches first, which ignores the requested order. */
function searchSource({ reads, search }: Browse, typed: string): Read {
  const fullText = toFullText(typed);
  return async (limit, cursor) => {
    if (fullText === undefined || search === undefined) return { items: [], cursor: undefined };
    const ids = readPageByOffset(limit, cursor, (offset, count) => matchingIds(search, fullText, count, offset));
    const items = await reads.getMany(
      books,
      ids.data.map((id) => ({ id })),
    );
    return { items, cursor: ids.next_cursor ?? undefined };
  };
}

/** Loads and sorts a small set, and returns one page of it. */
async function sortedPage({ reads, viewer, request, criteria }: Browse, read: Read): Promise<Browsed> {
  const { items } = await read(LOADED_MAX, undefined);
  const wanted = await accepting(reads, viewer, request, criteria)(items);
  const found = items.filter((book, index): book is Book => book !== undefined && wanted[index] === true);
  const direction = request.reverse ? -1 : 1;
  found.sort((left, right) => direction * compareBooks[request.sort](left, right));
  const { data, next_cursor } = readPageByOffset(request.limit, request.cursor, (offset, count) =>
    found.slice(offset, offset + count),
  );
  return { items: data, cursor: next_cursor ?? undefined, total: found.length };
}

/** Items examined per request. */
const EXAMINED_MAX = 1_000;
const CHUNK_MIN = 50;

interface FilteredRequest<T> {
  /** Reads part of the unfiltered list. */
  readonly read: (limit: number, cursor: string | undefined) => Promise<Page<T>>;
  /** Returns one decision per item. If omitted, all items are accepted. */
  readonly accept?: ((items: readonly T[]) => Promise<readonly boolean[]>) | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/**
 * Returns a page of accepted items. Examines a limited number, so a page may be short or empty and still have a cursor.
 */
export async function filteredPage<T>({ read, accept, limit, cursor }: FilteredRequest<T>): Promise<Page<T>> {
  if (accept === undefined) return read(limit, cursor);
  const found: T[] = [];
  let at = cursor;
  for (let examined = 0; ;) {
    const chunk = await read(Math.max(limit - found.length, CHUNK_MIN), at);
    const wanted = await accept(chunk.items);
    const used = take(chunk.items, wanted, found, limit);
    // The page is full before the chunk ends. Reads the chunk again up to the last used item, to get the cursor after
    // that item.
    if (used < chunk.items.length) return { items: found, cursor: (await read(used, at)).cursor };
    at = chunk.cursor;
    examined += used;
    if (at === undefined || found.length === limit || examined >= EXAMINED_MAX) return { items: found, cursor: at };
  }
}

/** Collects accepted items up to the limit; returns how many were examined. */
function take<T>(items: readonly T[], wanted: readonly boolean[], found: T[], limit: number): number {
  for (const [index, item] of items.entries()) {
    if (found.length === limit) return index;
    if (wanted[index] === true) found.push(item);
  }
  return items.length;
}

/** The fields of a listener that decide which books are listed. */
export type Viewer = Pick<Listener, 'userId' | 'libraries'>;

interface BookWish extends CriteriaWish {
  readonly library?: string | undefined;
  readonly state?: 'unstarted' | 'started' | 'finished' | 'missing' | 'deleted' | undefined;
}

/** Returns undefined for an unknown author or series, so that the list is empty. */
async function criteriaIfKnown(reads: Reads, wish: BookWish): Promise<readonly Criterion[] | undefined> {
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
function accepting(
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
  return async (candidates) => {
    const right = candidates.map(isRight);
    if (!needsPlace) return right;
    const places = await reads.getMany(
      progress,
      candidates.map((book) => ({ user_id: viewer.userId, book_id: book?.id ?? NONE })),
    );
    return right.map((isWanted, index) => {
      const place = places[index];
      if (wish.state === 'unstarted') return isWanted && place === undefined;
      return isWanted && place !== undefined && place.finished === (wish.state === 'finished');
    });
  };
}

/**
 * Counts the listed books of these libraries that match the criterion, if one is given. Returns undefined if there is
 * no counter.
 */
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

/** Filters as the user typed them. */
interface CriteriaWish {
  readonly author?: string | undefined;
  readonly series?: string | undefined;
  readonly narrator?: string | undefined;
  readonly genre?: string | undefined;
  readonly tag?: string | undefined;
  readonly language?: string | undefined;
  readonly work?: string | undefined;
}

/** A filter with its index value. */
interface Criterion {
  readonly kind: keyof CriteriaWish;
  readonly value: string;
}

/** Converts filters to index values. Throws for an unknown author or series. */
async function criteriaOf(reads: Reads, wish: CriteriaWish): Promise<readonly Criterion[]> {
  const { author, series, narrator, genre, tag, language, work } = wish;
  const found: Criterion[] = [];
  if (series !== undefined) found.push({ kind: 'series', value: (await resolveSeries(reads, series)).id });
  if (author !== undefined) found.push({ kind: 'author', value: (await resolveAuthor(reads, author)).id });
  if (narrator !== undefined) found.push({ kind: 'narrator', value: normalizeName(narrator) });
  if (tag !== undefined) found.push({ kind: 'tag', value: tag.toLowerCase() });
  if (genre !== undefined) found.push({ kind: 'genre', value: normalizeText(genre) });
  if (language !== undefined) found.push({ kind: 'language', value: language.toLowerCase() });
  if (work !== undefined) found.push({ kind: 'work', value: work });
  return found;
}

const fitting: Readonly<Record<Criterion['kind'], (book: Book, value: string) => boolean>> = {
  author: (book, value) => book.authors.some(({ id }) => id === value),
  series: (book, value) => book.series.some(({ id }) => id === value),
  narrator: (book, value) => book.narrators.some((name) => normalizeName(name) === value),
  genre: (book, value) => book.genres.some((genre) => normalizeText(genre) === value),
  tag: (book, value) => book.tags.some((tag) => tag.toLowerCase() === value),
  language: (book, value) => book.language?.toLowerCase() === value,
  work: (book, value) => book.work_id === value,
};

function fits(book: Book, { kind, value }: Criterion): boolean {
  return fitting[kind](book, value);
}

type Shelf = (reads: Reads, value: string, page: PageOptions) => Promise<Page<Book>>;

const shelves: Readonly<Record<Criterion['kind'], Shelf>> = {
  author: (reads, author, page) => reads.page(books.by.author, { author }, page),
  series: (reads, series, page) => reads.page(books.by.series, { series }, page),
  narrator: (reads, narrator, page) => reads.page(books.by.narrator, { narrator }, page),
  genre: (reads, genre, page) => reads.page(books.by.genre, { genre }, page),
  tag: (reads, tag, page) => reads.page(books.by.tag, { tag }, page),
  language: (reads, language, page) => reads.page(books.by.language, { language }, page),
  work: (reads, work, page) => reads.page(books.by.work, { work_id: work }, page),
};

/** Returns a page of matching books, in the order of the index. */
export function fittingPage(reads: Reads, { kind, value }: Criterion, page: PageOptions): Promise<Page<Book>> {
  return shelves[kind](reads, value, page);
}

const byTitle = (left: Book, right: Book): number =>
  compareKeys(left.sort_title, right.sort_title) || compareKeys(left.id, right.id);

/**
 * Sort functions with the same orders as the indexes. `recent` sorts by title, because a book does not store when it
 * was played.
 */
const compareBooks: Readonly<Record<BookOrder, (left: Book, right: Book) => number>> = {
  title: byTitle,
  author: (left, right) => compareKeys(left.author_sort, right.author_sort) || byTitle(left, right),
  added: (left, right) => compareKeys(left.id, right.id),
  duration: (left, right) => left.duration_ms - right.duration_ms || compareKeys(left.id, right.id),
  recent: byTitle,
};
