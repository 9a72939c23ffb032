import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';

import { audiobooksApi } from '../../../api/audiobooks-client.ts';
import type { BookRow, Page } from '../../../api/audiobooks-types.ts';
import type { ListedPlaylist, Playlist, PlaylistItem, SmartQuery } from '../../../api/listening-types.ts';

const PAGE = 100;
const SHOWN = 50;

export type PlaylistPage = Playlist & { readonly items: Page<PlaylistItem> };

export const playlistsQuery = queryOptions({
  queryKey: ['audiobooks', 'playlists', 'all'],
  queryFn: ({ signal }): Promise<readonly Playlist[]> => readPlaylists({}, signal),
});

/** All of them, and whether they have this book. Others may change them at any time, so that it is asked for each time. */
export function playlistsWithBookQuery(book: string) {
  return queryOptions({
    queryKey: ['audiobooks', 'playlists', 'with', book],
    staleTime: 0,
    queryFn: ({ signal }): Promise<readonly ListedPlaylist[]> => readPlaylists<ListedPlaylist>({ book }, signal),
  });
}

const PLAYLISTS_MAX = 1_000;

async function readPlaylists<Item extends Playlist>(
  asked: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<readonly Item[]> {
  const found: Item[] = [];
  let cursor: string | undefined;
  do {
    const query = { ...asked, limit: PAGE, ...(cursor === undefined ? {} : { cursor }) };
    const page: Page<Item> = (await audiobooksApi.GET('/playlists', { query, signal })).data;
    found.push(...page.data);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined && found.length < PLAYLISTS_MAX);
  return found;
}

/** Smart ones ask anew each time, so that nothing of it may be old. */
export function playlistQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: ['audiobooks', 'playlists', 'one', id],
    staleTime: 0,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }): Promise<PlaylistPage> => readPlaylist(id, pageParam, signal),
    getNextPageParam: ({ items: { next_cursor: next } }) => next ?? undefined,
  });
}

async function readPlaylist(id: string, cursor: string | undefined, signal?: AbortSignal): Promise<PlaylistPage> {
  const query = { limit: PAGE, ...(cursor === undefined ? {} : { cursor }) };
  const given = signal === undefined ? {} : { signal };
  return (await audiobooksApi.GET('/playlists/{id}', { params: { id }, query, ...given })).data;
}

const PLAYED_MAX = 500;

/** All of its books, up to more than anybody listens through. */
export async function readAllBooks(id: string): Promise<readonly BookRow[]> {
  const books: BookRow[] = [];
  let cursor: string | undefined;
  do {
    const { items } = await readPlaylist(id, cursor);
    books.push(...items.data.map(({ book }) => book));
    cursor = items.next_cursor ?? undefined;
  } while (cursor !== undefined && books.length < PLAYED_MAX);
  return books;
}

/** What a question would give, before it is kept. */
export function previewQuery(query: SmartQuery | undefined) {
  return queryOptions({
    queryKey: ['audiobooks', 'playlists', 'preview', query],
    enabled: query !== undefined,
    queryFn: async ({ signal }): Promise<Page<BookRow>> =>
      (await audiobooksApi.POST('/playlists/preview', { query: { limit: SHOWN }, body: { query }, signal })).data,
    placeholderData: (previous) => previous,
  });
}

export function findBooksQuery(q: string) {
  return queryOptions({
    queryKey: ['audiobooks', 'books', 'find', q],
    enabled: q !== '',
    queryFn: async ({ signal }): Promise<readonly BookRow[]> => {
      const found: { readonly books: readonly BookRow[] } = (
        await audiobooksApi.GET('/search', { query: { q }, signal })
      ).data;
      return found.books;
    },
    placeholderData: (previous) => previous,
  });
}
