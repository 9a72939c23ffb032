import { useQueries } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';

import { booksQuery } from '../../../api/audiobooks-queries.ts';
import type { BookFilter, BookRow } from '../../../api/types.ts';
import { type LoadedPages, endOf, pagesIn, type Range, tailOf, withPage } from './loaded-pages.ts';

export interface LoadedList {
  readonly rowAt: (index: number) => BookRow | undefined;
  /** How many rows were read, and whether these are all. */
  readonly end: number;
  readonly isComplete: boolean;
  readonly isBegun: boolean;
  /** Total according to the server. */
  readonly counted: number | undefined;
  readonly error: Error | null;
  readonly retry: () => void;
}

/**
 * Reads a list from its start as far as `range` requires, and rereads the visible pages. Reads nothing without a
 * range.
 */
export function useLoadedPages(filter: BookFilter, range: Range | undefined): LoadedList {
  const [chain, setChain] = useState<LoadedPages>([]);
  const [counted, setCounted] = useState<number>();
  const tail = tailOf(chain);
  const seen = range === undefined ? [] : pagesIn(chain, range);
  const isTailWanted = range !== undefined && tail !== undefined && range.last >= endOf(chain);
  const cursors = [...seen.map(({ cursor }) => cursor), ...(isTailWanted ? [tail.cursor] : [])];
  const results = useQueries({ queries: cursors.map((cursor) => booksQuery(filter, cursor)) });
  const answers = results.map(({ data }) => data);
  // The number of answers changes, which effect dependencies do not allow: one value stands for all of them.
  // oxlint-disable-next-line react/exhaustive-deps -- the answers are all that it is made anew for
  const mark = useMemo(() => ({}), [answers.length, ...answers]);
  useEffect(() => {
    setChain((known) =>
      answers.reduce<LoadedPages>(
        (made, data, at) =>
          data === undefined ? made : withPage(made, cursors[at], { length: data.data.length, next: data.next_cursor }),
        known,
      ),
    );
    const total = answers.findLast((data) => data !== undefined)?.total;
    if (total !== undefined && total !== null) setCounted(total);
    // oxlint-disable-next-line react/exhaustive-deps -- `mark` stands for the answers and for what they answer
  }, [mark]);
  const rows = useMemo(() => {
    const found = new Map<number, BookRow>();
    for (const [at, link] of seen.entries()) {
      for (const [place, row] of (answers[at]?.data ?? []).entries()) found.set(link.start + place, row);
    }
    return found;
    // oxlint-disable-next-line react/exhaustive-deps -- what is seen follows from the chain
  }, [chain, mark]);
  const failed = results.find(({ isError }) => isError);
  return {
    rowAt: (index) => rows.get(index),
    end: endOf(chain),
    isComplete: tail === undefined,
    isBegun: chain.length > 0,
    counted,
    error: failed?.error ?? null,
    retry: () => void failed?.refetch(),
  };
}
