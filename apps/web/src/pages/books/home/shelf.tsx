import { Link } from '@tanstack/react-router';
import { type ReactNode, useId } from 'react';

import type { BookRow } from '../../../api/types.ts';
import { BookCard } from '../book-card.tsx';

interface ShelfProps {
  readonly title: string;
  readonly books: readonly BookRow[];
  /** Where all of them are: filters of the library. */
  readonly all?: Readonly<Record<string, string>>;
}

/** Some books side by side; the rest is reached by scrolling sideways. */
export function Shelf({ title, books, all }: ShelfProps): ReactNode {
  const id = useId();
  if (books.length === 0) return null;
  return (
    <section aria-labelledby={id} className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex items-baseline justify-between gap-4">
        <h2 id={id} className="font-semibold">
          {title}
        </h2>
        {all !== undefined && (
          <Link
            to="/books/$view"
            params={{ view: 'library' }}
            search={all}
            aria-label={`All of ${title.toLowerCase()}`}
            className="text-[13px] font-medium text-accent-strong hover:underline"
          >
            Show all
          </Link>
        )}
      </div>
      <ul className="-mx-1 flex gap-4 overflow-x-auto px-1 pt-1 pb-3">
        {books.map((book) => (
          <li key={book.id} className="w-32 shrink-0 sm:w-36">
            <BookCard book={book} />
          </li>
        ))}
      </ul>
    </section>
  );
}
