import { useMemo, useState } from 'react';

import type { BookFilter, BookRow } from '../../../api/types.ts';
import type { Range } from './chain.ts';
import { reversed } from './filter.ts';
import { useChain } from './use-chain.ts';

/** Room for what is not counted yet: reaching it has more read. */
const AHEAD = 40;

export interface Books {
  /** None while it is on its way. */
  readonly rowAt: (index: number) => BookRow | undefined;
  /** How many places there are; more than there are books while nobody has counted them. */
  readonly places: number;
  /** How many books there are, if that is known. */
  readonly total: number | undefined;
  readonly isFirstLoad: boolean;
  readonly error: Error | null;
  readonly retry: () => void;
}

/**
 * The books that fit, of which only what is seen is read and kept. Where it is known how many there are they are read
 * from both ends, so that the end of a long list is as near as its beginning.
 */
export function useBooks(filter: BookFilter, range: Range): Books {
  const [isFromEnd, setFromEnd] = useState(false);
  const front = useChain(filter, isFromEnd ? undefined : range);
  const total = front.isComplete ? front.end : front.counted;
  const mirrored = total === undefined ? undefined : { first: total - 1 - range.last, last: total - 1 - range.first };
  const opposite = useMemo(() => reversed(filter), [filter]);
  const back = useChain(opposite, isFromEnd ? mirrored : undefined);
  const isNearEnd =
    filter.q === undefined &&
    mirrored !== undefined &&
    range.last >= front.end &&
    mirrored.last - back.end < range.last - front.end;
  if (isNearEnd !== isFromEnd) setFromEnd(isNearEnd);
  return {
    rowAt: (index) => front.rowAt(index) ?? (total === undefined ? undefined : back.rowAt(total - 1 - index)),
    places: total ?? (front.isBegun ? front.end + AHEAD : 0),
    total,
    isFirstLoad: !front.isBegun && front.error === null,
    error: front.error ?? back.error,
    retry: front.error === null ? back.retry : front.retry,
  };
}
