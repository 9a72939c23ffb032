import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';

import { booksApi } from '../../../api/clients.ts';
import { dataOf, given, readAll } from '../../../api/query-options.ts';
import type { BookRow, SmartQuery } from '../../../api/types.ts';

const PAGE = 100;
const PLAYLISTS_MAX = 1_000;

/**
 * All playlists. With `book`, also tells whether each playlist contains that book. Always refetched, because others may
 * change them.
 */
export function playlistsQuery(book?: string) {
  return queryOptions({
    queryKey: ['audiobooks', 'playlists', 'all', book],
    staleTime: 0,
    queryFn: ({ signal }) =>
      readAll(PLAYLISTS_MAX, (cursor) =>
        booksApi.GET('/playlists', { query: { ...given({ book }), limit: PAGE, ...cursor }, signal }),
      ),
  });
}

/** Always refetched, because the contents of a smart playlist change with the library. */
export function playlistQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: ['audiobooks', 'playlists', 'one', id],
    staleTime: 0,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) => {
      const query = { limit: PAGE, ...(cursor === undefined ? {} : { cursor }) };
      return dataOf(booksApi.GET('/playlists/{playlist}', { params: { playlist: id }, query, signal }));
    },
    getNextPageParam: ({ items: { next_cursor: next } }) => next ?? undefined,
  });
}

const PLAYED_MAX = 500;

export async function readAllBooks(id: string): Promise<readonly BookRow[]> {
  const params = { playlist: id };
  const items = await readAll(PLAYED_MAX, async (cursor) => {
    const { data } = await booksApi.GET('/playlists/{playlist}', { params, query: { limit: PAGE, ...cursor } });
    return { data: data.items };
  });
  return items.map(({ book }) => book);
}

const PREVIEWED = 50;

export function previewQuery(query: SmartQuery | undefined) {
  return queryOptions({
    queryKey: ['audiobooks', 'playlists', 'preview', query],
    enabled: query !== undefined,
    queryFn: ({ signal }) =>
      dataOf(
        booksApi.POST('/playlists/preview', {
          body: { query: query ?? { sort: 'title', limit: null }, limit: PREVIEWED },
          signal,
        }),
      ),
    placeholderData: (previous) => previous,
  });
}

export function findBooksQuery(q: string) {
  return queryOptions({
    queryKey: ['audiobooks', 'books', 'find', q],
    enabled: q !== '',
    queryFn: async ({ signal }) => (await booksApi.GET('/search', { query: { q }, signal })).data.books,
    placeholderData: (previous) => previous,
  });
}
