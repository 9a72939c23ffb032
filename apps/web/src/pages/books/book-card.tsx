import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import type { BookRow } from '../../api/types.ts';
import { Cover } from './cover.tsx';
import { CoverPlayButton } from './play-button.tsx';
import { authorsText, progressText } from './book-text.ts';

interface BookCardProps {
  readonly book: BookRow;
  /** The Tab key reaches one card of a grid; arrow keys reach the others. */
  readonly isInTabOrder?: boolean;
  /** Number in its series. */
  readonly mark?: string | undefined;
}

export function BookCard({ book, isInTabOrder = true, mark }: BookCardProps): ReactNode {
  const { progress } = book;
  return (
    <article aria-label={book.title} className="group relative grid min-w-0 content-start gap-2">
      <Link
        to="/books/$view"
        params={{ view: book.id }}
        data-book={book.id}
        tabIndex={isInTabOrder ? 0 : -1}
        className="grid min-w-0 content-start gap-2 rounded-lg"
      >
        <span className={`block transition-opacity ${book.missing ? 'opacity-50' : ''}`}>
          <Cover book={book} size={256} />
        </span>
        <span className="grid min-w-0 gap-0.5">
          <span dir="auto" className="line-clamp-2 leading-snug font-medium break-words group-hover:underline">
            {book.title}
          </span>
          <span dir="auto" className="truncate text-[13px] text-muted">
            {authorsText(book)}
          </span>
          <span className="truncate text-xs text-muted tabular-nums">
            {book.missing ? 'Files missing' : progressText(book)}
          </span>
        </span>
      </Link>
      <div className="pointer-events-none absolute inset-x-0 top-0 aspect-square overflow-hidden rounded-lg">
        {mark !== undefined && (
          <span className="absolute top-2 left-2 rounded-md bg-black/75 px-1.5 py-0.5 text-xs font-semibold text-white">
            {mark}
          </span>
        )}
        {progress !== null && !progress.finished && (
          <span className="absolute inset-x-0 bottom-0 h-1 bg-black/40">
            <span className="block h-full bg-accent" style={{ width: `${progress.percent}%` }} />
          </span>
        )}
        {!book.missing && (
          <div className="pointer-events-auto">
            <CoverPlayButton book={book} isInTabOrder={isInTabOrder} />
          </div>
        )}
      </div>
    </article>
  );
}
