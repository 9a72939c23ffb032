import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import type { BookRow } from '../../../api/types.ts';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import { Time } from '../../../ui/time.tsx';
import { Cover } from '../cover.tsx';
import { PlayButton } from '../play-button.tsx';
import { authorsText, progressText } from '../book-text.ts';

/** Books in progress, most recent first: the reason for most visits. */
export function ContinueShelf({ books }: { readonly books: readonly BookRow[] }): ReactNode {
  if (books.length === 0) return null;
  return (
    <section aria-label="Continue listening" className="grid gap-3">
      <h2 className="font-semibold">Continue listening</h2>
      <ul className="grid gap-4 md:grid-cols-2">
        {books.map((book) => (
          <li key={book.id}>
            <Begun book={book} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Begun({ book }: { readonly book: BookRow }): ReactNode {
  const { progress } = book;
  return (
    <article
      aria-label={book.title}
      className="flex h-full gap-4 rounded-xl border border-line bg-surface p-3 sm:gap-5 sm:p-4"
    >
      <Link to="/books/$view" params={{ view: book.id }} tabIndex={-1} aria-hidden className="w-24 shrink-0 sm:w-32">
        <Cover book={book} size={256} />
      </Link>
      <div className="flex min-w-0 flex-1 flex-col gap-2">
        <div className="grid min-w-0 flex-1 content-start gap-0.5">
          <Link
            to="/books/$view"
            params={{ view: book.id }}
            dir="auto"
            className="line-clamp-2 text-[15px] leading-snug font-semibold break-words hover:underline"
          >
            {book.title}
          </Link>
          <p dir="auto" className="truncate text-[13px] text-muted">
            {authorsText(book)}
          </p>
          <p className="text-[13px] text-muted tabular-nums">
            {progressText(book)}
            {progress !== null && (
              <>
                {' · '}
                <Time at={progress.updated_at} />
              </>
            )}
          </p>
        </div>
        <ProgressBar label={`Progress in ${book.title}`} percent={progress?.percent ?? 0} />
        <div className="flex">
          <PlayButton book={book} />
        </div>
      </div>
    </article>
  );
}
