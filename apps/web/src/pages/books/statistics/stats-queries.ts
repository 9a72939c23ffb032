import { queryOptions } from '@tanstack/react-query';

import { audiobooksApi } from '../../../api/audiobooks-client.ts';
import type { ListeningStats, ListeningYear } from '../../../api/listening-types.ts';

/** Below `progress`, so that they are read again when something was listened to. */

export function statsQuery(from: string, to: string) {
  return queryOptions({
    queryKey: ['audiobooks', 'progress', 'stats', from, to],
    queryFn: async ({ signal }): Promise<ListeningStats> =>
      (await audiobooksApi.GET('/stats', { query: { from, to }, signal })).data,
    placeholderData: (previous) => previous,
  });
}

export function yearQuery(year: number) {
  return queryOptions({
    queryKey: ['audiobooks', 'progress', 'year', year],
    queryFn: async ({ signal }): Promise<ListeningYear> =>
      (await audiobooksApi.GET('/stats/year/{year}', { params: { year: String(year) }, signal })).data,
  });
}
