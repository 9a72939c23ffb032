import { queryOptions } from '@tanstack/react-query';

import { audiobooksApi } from './audiobooks-client.ts';
import type { Rights } from './audiobooks-types.ts';

/** What the pages read of audiobooks. Everything below `audiobooks` is kept current by the stream of books. */

/** The stream says when it has changed; asking by the clock would only repeat what is known. */
const followed = { staleTime: Infinity } as const;

export const rightsQuery = queryOptions({
  queryKey: ['audiobooks', 'rights', 'mine'],
  ...followed,
  queryFn: async ({ signal }): Promise<Rights> => (await audiobooksApi.GET('/me', { signal })).data,
});
