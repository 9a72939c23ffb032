import type { UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query';
import { CircleX } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';

import { reasonOf } from '../lib/error-reason.ts';
import { Button } from './button.tsx';

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

export function Skeleton({ lines = 3 }: { readonly lines?: number }): ReactNode {
  return (
    <div role="status" aria-label="Loading" className="grid animate-pulse gap-3 p-5">
      {Array.from({ length: lines }, (_, index) => (
        <div key={index} className={`h-4 rounded bg-line ${index % 3 === 2 ? 'w-1/2' : 'w-full'}`} />
      ))}
    </div>
  );
}

interface FailureProps {
  readonly error: unknown;
  readonly onRetry?: () => void;
}

export function Failure({ error, onRetry }: FailureProps): ReactNode {
  const { title, hint, code, requestId } = reasonOf(error);
  return (
    <div role="alert" className="flex flex-wrap items-start gap-3 p-5">
      <CircleX className="mt-0.5 size-5 shrink-0 text-bad" aria-hidden />
      <div className="min-w-0 flex-1 basis-56">
        <p className="font-medium break-words">{title}</p>
        <p className="text-muted">{hint}</p>
        <p className="mt-1 font-mono text-xs text-muted">
          {code}
          {requestId !== undefined && ` · request ${requestId}`}
        </p>
      </div>
      {onRetry !== undefined && (
        <Button size="small" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}

interface MoreButtonProps extends Pick<ComponentProps<typeof Button>, 'size' | 'children'> {
  readonly query: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>;
  readonly className?: string;
}

/** Loads the next page; hidden at the end. */
export function MoreButton({ query, className, ...rest }: MoreButtonProps): ReactNode {
  if (!query.hasNextPage) return null;
  return (
    <div className={className}>
      <Button isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()} {...rest} />
    </div>
  );
}
