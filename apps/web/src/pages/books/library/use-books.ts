import { useMemo, useState } from 'react';

import type { BookFilter, BookRow } from '../../../api/types.ts';
import type { Range } from './loaded-pages.ts';
import { reversed } from './filter.ts';
import { useLoadedPages } from './use-loaded-pages.ts';

/** Placeholder rows beyond the last known book; reaching them loads more. */
const AHEAD = 40;

export interface Books {
  /** Undefined while loading. */
  readonly rowAt: (index: number) => BookRow | undefined;
  /** Number of rows; includes placeholders while the total is unknown. */
  readonly places: number;
  /** Number of books, if known. */
  readonly total: number | undefined;
  readonly isFirstLoad: boolean;
  readonly error: Error | null;
  readonly retry: () => void;
}

/**
 * Matching books; only visible ones are read and kept. With a known total, the list is read from both ends, so that
 * its end is as quick to reach as its start.
 */
export function useBooks(filter: BookFilter, range: Range): Books {
  const [isFromEnd, setFromEnd] = useState(false);
  const front = useLoadedPages(filter, isFromEnd ? undefined : range);
  const total = front.isComplete ? front.end : front.counted;
  const mirrored = total === undefined ? undefined : { first: total - 1 - range.last, last: total - 1 - range.first };
  const opposite = useMemo(() => reversed(filter), [filter]);
  const back = useLoadedPages(opposite, isFromEnd ? mirrored : undefined);
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
