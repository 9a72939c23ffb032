import { useQueries } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';

import { booksQuery } from '../../../api/audiobooks-queries.ts';
import type { BookFilter, BookRow } from '../../../api/types.ts';
import { reversed } from './filter.ts';
import { endOf, type LoadedPages, pagesIn, type Range, tailOf, withPage } from './loaded-pages.ts';

/** Number of placeholder rows after the last loaded book. Scrolling to them loads more books. */
const AHEAD = 40;

/**
 * Matching books, read page by page; pages that are no longer visible are dropped. If the total is known, the list can
 * also be read from its end, so that the end loads as fast as the start.
 */
export function useBooks(filter: BookFilter, range: Range) {
  const [isFromEnd, setFromEnd] = useState(false);
  const front = useLoadedPages(filter, isFromEnd ? undefined : range);
  const total = front.isComplete ? front.end : front.total;
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
    rowAt: (index: number) => front.rowAt(index) ?? (total === undefined ? undefined : back.rowAt(total - 1 - index)),
    /** Number of rows; includes placeholders while the total is unknown. */
    length: total ?? (front.hasPages ? front.end + AHEAD : 0),
    /** Number of books, if known. */
    total,
    isFirstLoad: !front.hasPages && front.error === null,
    error: front.error ?? back.error,
    retry: front.error === null ? back.retry : front.retry,
  };
}

/**
 * Reads a list from its start as far as `range` requires, and reads visible pages again when they change. Reads nothing
 * without a range.
 */
function useLoadedPages(filter: BookFilter, range: Range | undefined) {
  const [pages, setPages] = useState<LoadedPages>([]);
  const [total, setTotal] = useState<number>();
  const tail = tailOf(pages);
  const visible = range === undefined ? [] : pagesIn(pages, range);
  const isTailNeeded = range !== undefined && tail !== undefined && range.last >= endOf(pages);
  const cursors = [...visible.map(({ cursor }) => cursor), ...(isTailNeeded ? [tail.cursor] : [])];
  const results = useQueries({ queries: cursors.map((cursor) => booksQuery(filter, cursor)) });
  const answers = results.map(({ data }) => data);
  // Effect dependencies must have a fixed length, so one value represents all answers.
  // oxlint-disable-next-line react/exhaustive-deps -- changes whenever an answer changes
  const version = useMemo(() => ({}), [answers.length, ...answers]);
  useEffect(() => {
    setPages((known) =>
      answers.reduce<LoadedPages>(
        (made, data, at) =>
          data === undefined ? made : withPage(made, cursors[at], { length: data.data.length, next: data.next_cursor }),
        known,
      ),
    );
    const counted = answers.findLast((data) => data !== undefined)?.total;
    if (counted !== undefined && counted !== null) setTotal(counted);
    // oxlint-disable-next-line react/exhaustive-deps -- `version` represents the answers and their cursors
  }, [version]);
  const rows = useMemo(() => {
    const found = new Map<number, BookRow>();
    for (const [at, { start }] of visible.entries()) {
      for (const [offset, row] of (answers[at]?.data ?? []).entries()) found.set(start + offset, row);
    }
    return found;
    // oxlint-disable-next-line react/exhaustive-deps -- `visible` follows from the pages
  }, [pages, version]);
  const failed = results.find(({ isError }) => isError);
  return {
    rowAt: (index: number) => rows.get(index),
    /** Number of rows read, and whether these are all rows. */
    end: endOf(pages),
    isComplete: tail === undefined,
    hasPages: pages.length > 0,
    /** Total that the server reports. */
    total,
    error: failed?.error ?? null,
    retry: () => void failed?.refetch(),
  };
}
