import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';

interface PageOf<Row> {
  readonly data: readonly Row[];
}

interface Rows<Row> {
  readonly rows: readonly Row[];
  /** Reads the next page, unless there is none or it is already being read. */
  readonly more: () => void;
}

export function useRows<Row>(query: UseInfiniteQueryResult<InfiniteData<PageOf<Row>>>): Rows<Row> {
  const { data } = query;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data]);
  return { rows, more: useMore(query) };
}

export function useMore(
  query: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>,
): () => void {
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  return useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
}
