import type { ReactNode } from 'react';

import type { Book } from '../../../api/types.ts';
import { Card } from '../../../ui/card.tsx';
import { BookLine } from '../book-line.tsx';

/** The same work, read by others, in another language or edition. */
export function Editions({ book }: { readonly book: Book }): ReactNode {
  if (book.editions.length === 0) return null;
  return (
    <Card title="Other editions" isFlush>
      <ul className="divide-y divide-line border-t border-line">
        {book.editions.map((edition) => (
          <li key={edition.id} className="@container">
            <BookLine book={edition} />
          </li>
        ))}
      </ul>
    </Card>
  );
}
