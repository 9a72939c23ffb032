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
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  return <Skeleton />;
}
