import { readPageByOffset } from '@holdfast/base';
import type { Page, Reads } from '@holdfast/keyspace';
import type { BookOrder } from '../../model/choices.ts';
import type { Book } from '../../model/book.ts';
import { books, progress } from '../../store/definitions.ts';
import type { SearchIndex } from '../../store/search/database.ts';
import { catchUp } from '../../store/search/feed.ts';
import { matchingIds, toFullText } from '../../store/search/query.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { type Criterion, fittingPage } from './book-criteria.ts';
import { accepting, type BookWish, countOf, criteriaIfKnown, type Viewer } from './book-filter.ts';
import { filteredPage } from './filtered-page.ts';
import { compareBooks } from './book-order.ts';

export interface BrowseRequest extends BookWish {
  readonly q?: string | undefined;
  readonly sort?: BookOrder;
  readonly reverse?: boolean;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface Browsed extends Page<Book> {
  /** Exact, or undefined if unknown. */
  readonly total: number | undefined;
}

/** Largest set that is loaded to sort it differently from its index. */
const LOADED_MAX = 1_000;

const NOTHING: Browsed = { items: [], cursor: undefined, total: 0 };

type Read = (limit: number, cursor: string | undefined) => Promise<Page<Book | undefined>>;

/**
 * Lists the books that a viewer may see, with any filters in any order. One index drives; the others filter. Loads and
 * sorts a small set; walks the index of the requested order for a large one.
 */
export async function browseBooks(
  { store, search: openSearch }: Audiobooks,
  viewer: Viewer,
  given: BrowseRequest,
): Promise<Browsed> {
  const request = { sort: 'title', reverse: false, ...given } as const;
  const search = given.q === undefined ? undefined : await openSearch();
  if (search !== undefined) await catchUp(search, store);
  return store.snapshot(async (reads) => {
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

/** Returns a set small enough to load and sort, if the request has one and needs another order. */
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

/** Walks the index of the requested order. */
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
  // Ids are ordered by time.
  if (sort === 'added') return (limit, cursor) => reads.page(books, {}, { limit, cursor, reverse });
  return (limit, cursor) => reads.page(books.by.sortTitle, {}, { limit, cursor, reverse });
}

/** Best match first, whatever order was requested. */
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
