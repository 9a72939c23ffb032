import type { BookRow, Series } from '../../../api/audiobooks-types.ts';

interface Held {
  readonly book: BookRow;
  readonly sequence: string | null;
}

/** The books of a series as the server has put them, with the missing numbers where they belong. */
export function placesOf({ id, books, gaps }: Pick<Series, 'id' | 'books' | 'gaps'>): readonly (Held | string)[] {
  const missing = [...gaps];
  const places: (Held | string)[] = [];
  for (const book of books) {
    const sequence = book.series.find((each) => each.id === id)?.sequence ?? null;
    while (missing[0] !== undefined && isBefore(missing[0], sequence)) places.push(missing.shift() ?? '');
    places.push({ book, sequence });
  }
  return [...places, ...missing];
}

/** Whether a missing number stands before a book; books without a number come last. */
function isBefore(gap: string, sequence: string | null): boolean {
  return sequence === null || Number.parseFloat(gap) < Number.parseFloat(sequence);
}
