import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { booksGlanceQuery } from '../../api/audiobooks-queries.ts';
import { count } from '../../lib/format.ts';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { progressText } from '../books/words.ts';
import { Beginning } from './beginning.tsx';
import { glanceLink } from './glance-link.ts';
import { usePace } from './use-pace.ts';

/** How many books there are, and where one left off. */
export function BooksGlance(): ReactNode {
  const { data } = useQuery({ ...booksGlanceQuery, ...usePace() });
  if (data === undefined) return null;
  if (data.libraries === 0) {
    return (
      <Beginning command="holdfast audiobooks scan ~/Audiobooks">
        No book yet. Name the folder that holds yours:
      </Beginning>
    );
  }
  return (
    <div className="grid gap-2">
      <p className="text-[13px] text-muted">{count(data.books, 'book')}</p>
      <ul className="grid gap-1">
        {data.started.map((book) => (
          <li key={book.id}>
            <Link to="/books/$view" params={{ view: book.id }} className={glanceLink}>
              <span className="flex items-baseline gap-3">
                <span dir="auto" className="min-w-0 flex-1 truncate text-left font-medium">
                  {book.title}
                </span>
                <span className="shrink-0 text-[13px] text-muted tabular-nums">{progressText(book)}</span>
              </span>
              <span aria-hidden>
                <ProgressBar label="" percent={book.progress?.percent ?? 0} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
