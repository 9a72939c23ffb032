import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';

import { booksApi } from './audiobooks-client.ts';
import type {
  Author,
  Book,
  BookPage,
  Bookmark,
  BookRow,
  Change,
  Duplicates,
  Feed,
  Group,
  Jump,
  Library,
  LogLine,
  MergePlan,
  Operation,
  OperationType,
  OrganisePlan,
  Page,
  Rights,
  Series,
  Shelves,
  UserRights,
} from './audiobooks-types.ts';
import { byCursor, followed } from './query-options.ts';

/** What the pages read of audiobooks. Everything below `audiobooks` is kept current by the stream of books. */

export const rightsQuery = queryOptions({
  queryKey: ['audiobooks', 'rights', 'mine'],
  ...followed,
  queryFn: async ({ signal }): Promise<Rights> => (await booksApi.GET('/me', { signal })).data,
});

export const librariesQuery = queryOptions({
  queryKey: ['audiobooks', 'libraries'],
  ...followed,
  queryFn: async ({ signal }): Promise<readonly Library[]> => {
    const { data } = await booksApi.GET('/libraries', { signal });
    return data.data;
  },
});

export const shelvesQuery = queryOptions({
  queryKey: ['audiobooks', 'shelves'],
  ...followed,
  queryFn: async ({ signal }): Promise<Shelves> => (await booksApi.GET('/shelves', { signal })).data,
});

const GLANCE = 3;

/** For the home page, which follows databases and not books. */
export const booksGlanceQuery = queryOptions({
  queryKey: ['database', 'audiobooks', 'glance'],
  queryFn: async ({ signal }) => {
    const [libraries, shelves] = await Promise.all([
      booksApi.GET('/libraries', { signal }),
      booksApi.GET('/shelves', { signal }),
    ]);
    const all = libraries.data.data;
    return {
      libraries: all.length,
      books: all.reduce((sum, { books }) => sum + books, 0),
      begun: shelves.data.continue.slice(0, GLANCE),
    };
  },
});

type BooksInput = NonNullable<NonNullable<Parameters<typeof booksApi.GET<'/books'>>[1]>['query']>;

/** Filters and an order, as the address has them. */
export type BookFilter = Readonly<Omit<BooksInput, 'limit' | 'cursor'>>;

const PAGE = 100;
/** As many at once as the server gives: few requests for a long way. */
const FURTHER = 200;

/** Kept for a while when it is out of sight, then forgotten: nobody's memory holds a hundred thousand books. */
const KEPT_MS = 60_000;

export function booksQuery(filter: BookFilter, cursor: string | undefined) {
  return queryOptions({
    queryKey: ['audiobooks', 'books', filter, cursor ?? ''],
    ...followed,
    gcTime: KEPT_MS,
    queryFn: async ({ signal }): Promise<BookPage> => {
      const query = { ...filter, ...(cursor === undefined ? { limit: PAGE } : { limit: FURTHER, cursor }) };
      return (await booksApi.GET('/books', { query, signal })).data;
    },
  });
}

export function bookQuery(id: string) {
  return queryOptions({
    queryKey: ['audiobooks', 'book', id],
    ...followed,
    queryFn: async ({ signal }): Promise<{ readonly book: Book; readonly etag: string | null }> => {
      const { data, etag } = await booksApi.GET('/books/{id}', { params: { id }, signal });
      return { book: data, etag };
    },
  });
}

export function historyQuery(id: string) {
  return pages<Change>(['history', id], (query, signal) =>
    booksApi.GET('/books/{id}/history', { params: { id }, query, signal }),
  );
}

export function bookmarksQuery(id: string) {
  return queryOptions({
    queryKey: ['audiobooks', 'progress', 'bookmarks', id],
    ...followed,
    queryFn: async ({ signal }): Promise<readonly Bookmark[]> => {
      const { data } = await booksApi.GET('/books/{id}/bookmarks', { params: { id }, signal });
      return data.data;
    },
  });
}

export function jumpsQuery(book: string) {
  return queryOptions({
    queryKey: ['audiobooks', 'progress', 'jumps', book],
    ...followed,
    queryFn: async ({ signal }): Promise<readonly Jump[]> =>
      (await booksApi.GET('/progress/{book}/jumps', { params: { book }, signal })).data,
  });
}

export const feedsQuery = queryOptions({
  queryKey: ['audiobooks', 'feeds'],
  ...followed,
  queryFn: async ({ signal }): Promise<readonly Feed[]> => {
    const { data } = await booksApi.GET('/feeds', { signal });
    return data.data;
  },
});

export type GroupKind = 'authors' | 'series' | 'narrators' | 'genres' | 'tags';

/** All of a kind, or those whose name begins like what was typed. */
export function groupsQuery(kind: GroupKind, q: string) {
  return pages<Group>(['groups', kind, q], (query, signal) =>
    booksApi.GET(`/${kind}`, { query: { ...query, ...(q === '' ? {} : { q }) }, signal }),
  );
}

export function authorQuery(id: string) {
  return queryOptions({
    queryKey: ['audiobooks', 'group', 'author', id],
    ...followed,
    queryFn: async ({ signal }): Promise<Author> =>
      (await booksApi.GET('/authors/{id}', { params: { id }, signal })).data,
  });
}

export function seriesQuery(id: string) {
  return queryOptions({
    queryKey: ['audiobooks', 'group', 'series', id],
    ...followed,
    queryFn: async ({ signal }): Promise<Series> =>
      (await booksApi.GET('/series/{id}', { params: { id }, signal })).data,
  });
}

export function authorBooksQuery(author: string) {
  return pages<BookRow>(['books', 'of', author], (query, signal) =>
    booksApi.GET('/books', { query: { ...query, author }, signal }),
  );
}

export function operationsQuery(type: OperationType | undefined) {
  return pages<Operation>(['operations', type ?? ''], (query, signal) =>
    booksApi.GET('/operations', { query: { ...query, ...(type === undefined ? {} : { type }) }, signal }),
  );
}

const SOME = 20;

/** The newest, among which those are that go on now. */
export const latestOperationsQuery = queryOptions({
  queryKey: ['audiobooks', 'operations', 'latest'],
  ...followed,
  queryFn: async ({ signal }): Promise<readonly Operation[]> => {
    const { data } = await booksApi.GET('/operations', { query: { limit: SOME }, signal });
    return data.data;
  },
});

export function operationQuery(id: string) {
  return queryOptions({
    queryKey: ['audiobooks', 'operation', id],
    ...followed,
    queryFn: async ({ signal }): Promise<Operation> =>
      (await booksApi.GET('/operations/{id}', { params: { id }, signal })).data,
  });
}

const LOG_PAGE = 200;

/** The lines that follow one that is known. */
export async function readLog(id: string, after: number, signal: AbortSignal): Promise<readonly LogLine[]> {
  const query = { after, limit: LOG_PAGE };
  const { data } = await booksApi.GET('/operations/{id}/log', { params: { id }, query, signal });
  return data.data;
}

export function organisePlanQuery(library: string, template: string) {
  return queryOptions({
    queryKey: ['audiobooks', 'books', 'plan', library, template],
    ...followed,
    retry: false,
    queryFn: async ({ signal }): Promise<OrganisePlan> => {
      const body = { library_id: library, template };
      return (await booksApi.POST('/organise/preview', { body, signal })).data;
    },
  });
}

export function mergePlanQuery(book: string) {
  return queryOptions({
    queryKey: ['audiobooks', 'book', 'merge', book],
    ...followed,
    queryFn: async ({ signal }): Promise<MergePlan> =>
      (await booksApi.POST('/merge/preview', { body: { book_id: book }, signal })).data,
  });
}

export function duplicatesQuery() {
  return pages<Duplicates>(['groups', 'duplicates'], (query, signal) => booksApi.GET('/duplicates', { query, signal }));
}

export const allRightsQuery = queryOptions({
  queryKey: ['audiobooks', 'rights', 'all'],
  ...followed,
  queryFn: async ({ signal }): Promise<readonly UserRights[]> => {
    const { data } = await booksApi.GET('/rights', { signal });
    return data.data;
  },
});

type Wanted = Readonly<{ limit: number; cursor?: string }>;

/** A list of any length, read as one scrolls. */
function pages<Item>(
  key: readonly string[],
  read: (query: Wanted, signal: AbortSignal) => Promise<{ readonly data: Page<Item> }>,
) {
  return infiniteQueryOptions({
    queryKey: ['audiobooks', ...key],
    ...followed,
    ...byCursor,
    queryFn: async ({ pageParam, signal }): Promise<Page<Item>> =>
      (await read({ limit: PAGE, ...(pageParam === undefined ? {} : { cursor: pageParam }) }, signal)).data,
  });
}
