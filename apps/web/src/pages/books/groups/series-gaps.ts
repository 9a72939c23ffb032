import type { Series } from '../../../api/types.ts';

type Held = Series['books'][number];

/** The books of a series in the server's order, with the missing numbers in between. */
export function withGaps({ books, gaps }: Pick<Series, 'books' | 'gaps'>): readonly (Held | string)[] {
  const missing = [...gaps];
  const places: (Held | string)[] = [];
  for (const book of books) {
    while (missing[0] !== undefined && isBefore(missing[0], book.sequence)) places.push(missing.shift() ?? '');
    places.push(book);
  }
  return [...places, ...missing];
}

/** Whether a missing number belongs before a book; books without a number come last. */
function isBefore(gap: string, sequence: string | null): boolean {
  return sequence === null || Number.parseFloat(gap) < Number.parseFloat(sequence);
}
