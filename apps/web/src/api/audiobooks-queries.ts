import { queryOptions } from '@tanstack/react-query';

import { booksApi } from './clients.ts';
import { queryClient } from './query-client.ts';
import { dataOf, given, livePages, liveQuery, rowsOf } from './query-options.ts';
import type { BookFilter, BookPage, CorrectionRequest, MatchRequest, OperationLine, OperationType } from './types.ts';

/** The event stream refreshes all queries whose key starts with `audiobooks`. */

export const rightsQuery = liveQuery(['audiobooks', 'rights', 'mine'], (signal) =>
  dataOf(booksApi.GET('/me', { signal })),
);

export const librariesQuery = liveQuery(['audiobooks', 'libraries'], (signal) =>
  rowsOf(booksApi.GET('/libraries', { signal })),
);

export const shelvesQuery = liveQuery(['audiobooks', 'shelves'], (signal) =>
  dataOf(booksApi.GET('/shelves', { signal })),
);

const GLANCE = 3;

/** For the home page, which refetches when a database changes and does not follow the event stream of books. */
export const booksGlanceQuery = queryOptions({
  queryKey: ['database', 'audiobooks', 'glance'],
  queryFn: async ({ signal }) => {
    const [libraries, shelves] = await Promise.all([
      rowsOf(booksApi.GET('/libraries', { signal })),
      dataOf(booksApi.GET('/shelves', { signal })),
    ]);
    return {
      libraries: libraries.length,
      books: libraries.reduce((sum, { books }) => sum + books, 0),
      started: shelves.continue.slice(0, GLANCE),
    };
  },
});

const PAGE = 100;
/** The server's maximum page size, so that a long scroll needs few requests. */
const FURTHER = 200;

/** Pages that are not visible are dropped after this time, so that a library of any size fits in memory. */
const UNUSED_MS = 60_000;

export function booksQuery(filter: BookFilter, cursor: string | undefined) {
  return queryOptions({
    ...liveQuery(['audiobooks', 'books', filter, cursor ?? ''], (signal): Promise<BookPage> => {
      const query = { ...filter, ...(cursor === undefined ? { limit: PAGE } : { limit: FURTHER, cursor }) };
      return dataOf(booksApi.GET('/books', { query, signal }));
    }),
    gcTime: UNUSED_MS,
  });
}

export function bookQuery(id: string) {
  return liveQuery(['audiobooks', 'book', id], async (signal) => {
    const { data, etag } = await booksApi.GET('/books/{book}', { params: { book: id }, signal });
    return { book: data, etag };
  });
}

export function historyQuery(id: string) {
  return livePages(['audiobooks', 'history', id], PAGE, (query, signal) =>
    booksApi.GET('/books/{book}/history', { params: { book: id }, query, signal }),
  );
}

export function bookmarksQuery(id: string) {
  return liveQuery(['audiobooks', 'progress', 'bookmarks', id], (signal) =>
    rowsOf(booksApi.GET('/books/{book}/bookmarks', { params: { book: id }, signal })),
  );
}

export function jumpsQuery(book: string) {
  return liveQuery(['audiobooks', 'progress', 'jumps', book], (signal) =>
    rowsOf(booksApi.GET('/progress/{book}/jumps', { params: { book }, signal })),
  );
}

export const feedsQuery = liveQuery(['audiobooks', 'feeds'], (signal) => rowsOf(booksApi.GET('/feeds', { signal })));

export type GroupKind = 'authors' | 'series' | 'narrators' | 'genres' | 'tags';

/** Returns all groups of a kind, or those whose name starts with `q`. */
export function groupsQuery(kind: GroupKind, q: string) {
  return livePages(['audiobooks', 'groups', kind, q], PAGE, (query, signal) =>
    booksApi.GET(`/${kind}`, { query: { ...query, ...given({ q }) }, signal }),
  );
}

export function authorQuery(id: string) {
  return liveQuery(['audiobooks', 'group', 'author', id], (signal) =>
    dataOf(booksApi.GET('/authors/{author}', { params: { author: id }, signal })),
  );
}

export function seriesQuery(id: string) {
  return liveQuery(['audiobooks', 'group', 'series', id], (signal) =>
    dataOf(booksApi.GET('/series/{series}', { params: { series: id }, signal })),
  );
}

export function authorBooksQuery(author: string) {
  return livePages(['audiobooks', 'books', 'of', author], PAGE, (query, signal) =>
    booksApi.GET('/books', { query: { ...query, author }, signal }),
  );
}

export function operationsQuery(type: OperationType | undefined) {
  return livePages(['audiobooks', 'operations', type ?? ''], PAGE, (query, signal) =>
    booksApi.GET('/operations', { query: { ...query, ...given({ type }) }, signal }),
  );
}

const LATEST = 20;

/** The newest operations, including running ones. */
export const latestOperationsQuery = liveQuery(['audiobooks', 'operations', 'latest'], (signal) =>
  rowsOf(booksApi.GET('/operations', { query: { limit: LATEST }, signal })),
);

export function operationQuery(id: string) {
  return liveQuery(['audiobooks', 'operation', id], (signal) =>
    dataOf(booksApi.GET('/operations/{operation}', { params: { operation: id }, signal })),
  );
}

const LOG_PAGE = 200;

/** Reads new log lines and appends them to those read before. */
export function logQuery(id: string) {
  const queryKey = ['audiobooks', 'operation', 'log', id];
  return liveQuery(queryKey, async (signal) => {
    const lines = [...(queryClient.getQueryData<readonly OperationLine[]>(queryKey) ?? [])];
    for (let isMore = true; isMore;) {
      const input = { params: { operation: id }, query: { after: lines.at(-1)?.seq ?? 0, limit: LOG_PAGE }, signal };
      const page = await rowsOf(booksApi.GET('/operations/{operation}/log', input));
      lines.push(...page);
      isMore = page.length === LOG_PAGE;
    }
    return lines;
  });
}

export function correctionsQuery(body: CorrectionRequest) {
  return queryOptions({
    ...liveQuery(['audiobooks', 'books', 'corrections', JSON.stringify(body)], (signal) =>
      dataOf(booksApi.POST('/corrections/preview', { body, signal })),
    ),
    retry: false,
  });
}

export function ebooksQuery(book: string) {
  return liveQuery(['audiobooks', 'book', book, 'ebooks'], (signal) =>
    rowsOf(booksApi.GET('/books/{book}/ebooks', { params: { book }, signal })),
  );
}

export const providersQuery = liveQuery(['audiobooks', 'providers'], (signal) =>
  rowsOf(booksApi.GET('/providers', { signal })),
);

export function matchesQuery(book: string, request: MatchRequest) {
  const body = { ...given({ ...request }), region: request.region };
  return queryOptions({
    ...liveQuery(['audiobooks', 'book', book, 'matches', JSON.stringify(body)], (signal) =>
      dataOf(booksApi.POST('/books/{book}/matches', { params: { book }, body, signal })),
    ),
    retry: false,
  });
}

export function organisePlanQuery(library: string, template: string) {
  const body = { library, template };
  return queryOptions({
    ...liveQuery(['audiobooks', 'books', 'plan', library, template], (signal) =>
      dataOf(booksApi.POST('/organise/preview', { body, signal })),
    ),
    retry: false,
  });
}

export function mergePlanQuery(book: string) {
  return liveQuery(['audiobooks', 'book', 'merge', book], (signal) =>
    dataOf(booksApi.POST('/merge/preview', { body: { book }, signal })),
  );
}

export function tagPlanQuery(book: string) {
  return liveQuery(['audiobooks', 'book', 'tags', book], (signal) =>
    dataOf(booksApi.POST('/tag/preview', { body: { book }, signal })),
  );
}

export function duplicatesQuery() {
  return livePages(['audiobooks', 'groups', 'duplicates'], PAGE, (query, signal) =>
    booksApi.GET('/duplicates', { query, signal }),
  );
}

export const allRightsQuery = liveQuery(['audiobooks', 'rights', 'all'], (signal) =>
  rowsOf(booksApi.GET('/rights', { signal })),
);

export const clientsQuery = liveQuery(['audiobooks', 'rights', 'clients'], (signal) =>
  dataOf(booksApi.GET('/clients', { signal })),
);

/** Statistics count days in the browser's time zone. */
export const timeZone: string = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The query key starts with `audiobooks, progress`, so that new listening reports refresh the statistics. */
export function statsQuery(from: string, to: string) {
  return queryOptions({
    ...liveQuery(['audiobooks', 'progress', 'stats', from, to], (signal) =>
      dataOf(booksApi.GET('/stats', { query: { from, to, time_zone: timeZone }, signal })),
    ),
    placeholderData: (previous) => previous,
  });
}

export function yearQuery(year: number) {
  const input = { params: { year: String(year) }, query: { time_zone: timeZone } };
  return liveQuery(['audiobooks', 'progress', 'year', year], (signal) =>
    dataOf(booksApi.GET('/stats/year/{year}', { ...input, signal })),
  );
}
