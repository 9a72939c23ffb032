import type { Book } from '../../model/book.ts';
import type { Series } from '../../model/series.ts';
import { missingPositions } from '../../model/series-position.ts';
import { books } from '../../store/definitions.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { resolveSeries } from './resolve.ts';

export interface SeriesView {
  readonly series: Series;
  /** In series order. */
  readonly books: readonly { readonly sequence: string | null; readonly book: Book }[];
  readonly missing: readonly number[];
}

/** Returns a series with its missing positions. */
export function showSeries({ store }: Audiobooks, given: string): Promise<SeriesView> {
  return store.snapshot(async (reads) => {
    const series = await resolveSeries(reads, given);
    const found = await reads.list(books.by.series, { series: series.id });
    const placed = found.map((book) => ({
      sequence: book.series.find(({ id }) => id === series.id)?.sequence ?? null,
      book,
    }));
    const missing = missingPositions(placed.map(({ sequence }) => sequence ?? undefined));
    return { series, books: placed, missing };
  });
}
