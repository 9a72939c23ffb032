import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';

import { Button } from './button.tsx';

interface MoreButtonProps extends Pick<ComponentProps<typeof Button>, 'size' | 'children'> {
  readonly query: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>;
  /** Of the line in which it stands. */
  readonly className?: string;
}

/** Reads the next page; not there when there is none. */
export function MoreButton({ query, className, ...rest }: MoreButtonProps): ReactNode {
  if (!query.hasNextPage) return null;
  return (
    <div className={className}>
      <Button isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()} {...rest} />
    </div>
  );
}
