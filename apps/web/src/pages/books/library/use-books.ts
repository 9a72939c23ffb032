import { useQueries } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';

import { type BookFilter, booksQuery } from '../../../api/audiobooks-queries.ts';
import type { BookRow } from '../../../api/audiobooks-types.ts';
import { type Chain, endOf, linksIn, type Range, tailOf, withPage } from './chain.ts';

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

/** The books that fit, of which only what is seen is read and kept. The whole is started anew with another filter. */
export function useBooks(filter: BookFilter, range: Range): Books {
  const [chain, setChain] = useState<Chain>([]);
  const [counted, setCounted] = useState<number>();
  const tail = tailOf(chain);
  const isTailWanted = tail !== undefined && range.last >= endOf(chain);
  const seen = linksIn(chain, range);
  const cursors = [...seen.map(({ cursor }) => cursor), ...(isTailWanted ? [tail.cursor] : [])];
  const results = useQueries({ queries: cursors.map((cursor) => booksQuery(filter, cursor)) });

  const answers = results.map(({ data }) => data);
  useEffect(() => {
    setChain((known) =>
      answers.reduce<Chain>(
        (made, data, at) =>
          data === undefined ? made : withPage(made, cursors[at], { length: data.data.length, next: data.next_cursor }),
        known,
      ),
    );
    const total = answers.findLast((data) => data !== undefined)?.total;
    if (total !== undefined && total !== null) setCounted(total);
    // What was answered is all that this depends on; cursors stand beside their answers.
  }, answers);

  const rows = useMemo(() => {
    const found = new Map<number, BookRow>();
    for (const [at, link] of seen.entries()) {
      for (const [place, row] of (answers[at]?.data ?? []).entries()) found.set(link.start + place, row);
    }
    return found;
  }, [chain, ...answers]);

  const end = endOf(chain);
  const total = tail === undefined ? end : counted;
  const failed = results.find(({ isError }) => isError);
  return {
    rowAt: (index) => rows.get(index),
    places: total ?? (chain.length === 0 ? 0 : end + AHEAD),
    total,
    isFirstLoad: chain.length === 0 && failed === undefined,
    error: failed?.error ?? null,
    retry: () => void failed?.refetch(),
  };
}
