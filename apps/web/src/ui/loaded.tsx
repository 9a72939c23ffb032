import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { Failure } from './failure.tsx';
import { Skeleton } from './skeleton.tsx';

interface LoadedProps<Data> {
  readonly query: UseQueryResult<Data>;
  readonly children: (data: Data) => ReactNode;
}

/** Shows loaded data, a skeleton or the error. Data stays visible while it is refetched. */
export function Loaded<Data>({ query, children }: LoadedProps<Data>): ReactNode {
  return query.data === undefined ? <NotLoaded query={query} /> : children(query.data);
}

interface NotLoadedProps {
  readonly query: Pick<UseQueryResult, 'isError' | 'error' | 'refetch'>;
  readonly lines?: number;
}

export function NotLoaded({ query, lines = 3 }: NotLoadedProps): ReactNode {
  return query.isError ? (
    <Failure error={query.error} onRetry={() => void query.refetch()} />
  ) : (
    <Skeleton lines={lines} />
  );
}
