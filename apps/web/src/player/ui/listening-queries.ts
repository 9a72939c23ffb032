import { queryOptions } from '@tanstack/react-query';

import { audiobooksApi } from '../../api/audiobooks-client.ts';
import type { Bookmark, Jump } from '../../api/listening-types.ts';

export function bookmarksQuery(id: string) {
  return queryOptions({
    queryKey: ['bookmarks', id],
    queryFn: async ({ signal }): Promise<readonly Bookmark[]> => {
      const { data }: { readonly data: { readonly data: readonly Bookmark[] } } = await audiobooksApi.GET(
        '/books/{id}/bookmarks',
        { params: { id }, signal },
      );
      return data.data.toSorted((left, right) => left.position_ms - right.position_ms);
    },
  });
}

export function jumpsQuery(book: string) {
  return queryOptions({
    queryKey: ['jumps', book],
    staleTime: 0,
    queryFn: async ({ signal }): Promise<readonly Jump[]> =>
      (await audiobooksApi.GET('/progress/{book}/jumps', { params: { book }, signal })).data,
  });
}
