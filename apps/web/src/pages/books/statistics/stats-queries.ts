import { queryOptions } from '@tanstack/react-query';

import { booksApi } from '../../../api/clients.ts';
import { dataOf } from '../../../api/query-options.ts';

/** Statistics count days in the time zone of the browser. */
export const timeZone: string = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The keys are below `progress`, so that listening refreshes the statistics. */

export function statsQuery(from: string, to: string) {
  return queryOptions({
    queryKey: ['audiobooks', 'progress', 'stats', from, to],
    queryFn: ({ signal }) => dataOf(booksApi.GET('/stats', { query: { from, to, time_zone: timeZone }, signal })),
    placeholderData: (previous) => previous,
  });
}

export function yearQuery(year: number) {
  const input = { params: { year: String(year) }, query: { time_zone: timeZone } };
  return queryOptions({
    queryKey: ['audiobooks', 'progress', 'year', year],
    queryFn: ({ signal }) => dataOf(booksApi.GET('/stats/year/{year}', { ...input, signal })),
  });
}
