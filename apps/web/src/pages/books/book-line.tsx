import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import type { BookRow } from '../../api/types.ts';
import { Badge } from '../../ui/badge.tsx';
import { Cover } from './cover.tsx';
import { authorsText, lengthText, progressText } from './book-text.ts';

interface BookLineProps {
  readonly book: BookRow;
  readonly isInTabOrder?: boolean;
  /** Actions at the end of the line. */
  readonly children?: ReactNode;
}

export function BookLine({ book, isInTabOrder = true, children }: BookLineProps): ReactNode {
  const [membership] = book.series;
  return (
    <div className="flex min-w-0 items-center gap-3 px-3 py-2 hover:bg-sunken sm:px-4">
      <Link
        to="/books/$view"
        params={{ view: book.id }}
        data-book={book.id}
        tabIndex={isInTabOrder ? 0 : -1}
        className="flex min-w-0 flex-1 items-center gap-3 rounded-md sm:gap-4"
      >
        <span className="w-12 shrink-0">
          <Cover book={book} size={96} />
        </span>
        <span className="grid min-w-0 flex-1 gap-x-6 sm:grid-cols-[minmax(0,5fr)_minmax(0,4fr)_7rem] sm:items-center">
          <span className="grid min-w-0">
            <span dir="auto" className="truncate font-medium">
              {book.title}
            </span>
            <span dir="auto" className="truncate text-[13px] text-muted">
              {authorsText(book)}
            </span>
          </span>
          <span className="hidden min-w-0 text-[13px] text-muted sm:grid">
            <span dir="auto" className="truncate">
              {membership === undefined
                ? ''
                : `${membership.name}${membership.sequence === null ? '' : ` #${membership.sequence}`}`}
            </span>
            <span dir="auto" className="truncate">
              {book.narrators.length === 0 ? '' : `read by ${book.narrators.join(', ')}`}
            </span>
          </span>
          <span className="flex gap-x-2 text-xs text-muted tabular-nums sm:grid sm:justify-items-end sm:text-right">
            {book.missing ? <Badge tone="warn">Missing</Badge> : <span>{lengthText(book.duration_ms)}</span>}
            {book.progress !== null && <span className="text-accent-strong">{progressText(book)}</span>}
          </span>
        </span>
      </Link>
      {children}
    </div>
  );
}
