import { queryOptions } from '@tanstack/react-query';

import { audiobooksApi } from '../../../api/audiobooks-client.ts';
import type { ListeningStats, ListeningYear } from '../../../api/listening-types.ts';

/** Days are those of whoever looks at them. */
export const timeZone: string = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Below `progress`, so that they are read again when something was listened to. */

export function statsQuery(from: string, to: string) {
  return queryOptions({
    queryKey: ['audiobooks', 'progress', 'stats', from, to],
    queryFn: async ({ signal }): Promise<ListeningStats> =>
      (await audiobooksApi.GET('/stats', { query: { from, to, time_zone: timeZone }, signal })).data,
    placeholderData: (previous) => previous,
  });
}

export function yearQuery(year: number) {
  return queryOptions({
    queryKey: ['audiobooks', 'progress', 'year', year],
    queryFn: async ({ signal }): Promise<ListeningYear> =>
      (
        await audiobooksApi.GET('/stats/year/{year}', {
          params: { year: String(year) },
          query: { time_zone: timeZone },
          signal,
        })
      ).data,
  });
}
