import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { Failure } from './failure.tsx';
import { Skeleton } from './skeleton.tsx';

interface LoadedProps<Data> {
  readonly query: UseQueryResult<Data>;
  readonly children: (data: Data) => ReactNode;
}

/** What was read, or that it is on its way, or why it is not there. What is there already stays while it is read again. */
export function Loaded<Data>({ query, children }: LoadedProps<Data>): ReactNode {
  return query.data === undefined ? <NotLoaded query={query} /> : children(query.data);
}

interface NotLoadedProps {
  readonly query: Pick<UseQueryResult, 'isError' | 'error' | 'refetch'>;
  readonly lines?: number;
}

/** In the place of what is not there: that it is on its way, or why it will not come. */
export function NotLoaded({ query, lines = 3 }: NotLoadedProps): ReactNode {
  return query.isError ? (
    <Failure error={query.error} onRetry={() => void query.refetch()} />
  ) : (
    <Skeleton lines={lines} />
  );
}
