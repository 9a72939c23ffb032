import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';

import { Button } from './button.tsx';

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
