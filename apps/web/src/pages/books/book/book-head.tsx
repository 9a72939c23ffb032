import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import type { Book } from '../../../api/types.ts';
import { Badge } from '../../../ui/badge.tsx';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import { Time } from '../../../ui/time.tsx';
import { Cover } from '../cover.tsx';
import { PlayButton } from '../play-button.tsx';
import { lengthText, progressText } from '../book-text.ts';
import { BookActions } from './book-actions.tsx';

export function BookHead({ book, etag }: { readonly book: Book; readonly etag: string | null }): ReactNode {
  return (
    <header className="grid gap-5 sm:grid-cols-[14rem_minmax(0,1fr)] sm:gap-8">
      <div className="w-44 sm:w-full">
        <Cover book={book} size={512} />
      </div>
      <div className="grid min-w-0 content-start gap-4">
        <div className="grid min-w-0 gap-1">
          <h1 dir="auto" className="text-2xl font-semibold tracking-tight break-words">
            {book.title}
          </h1>
          {book.subtitle !== null && (
            <p dir="auto" className="text-lg break-words text-muted">
              {book.subtitle}
            </p>
          )}
          <People book={book} />
        </div>
        <div className="flex flex-wrap items-center gap-2">
          {book.deleted_at !== null && <Badge tone="removed">Removed</Badge>}
          {book.missing && <Badge tone="warn">Files missing</Badge>}
          {book.progress?.finished === true && <Badge tone="good">Finished</Badge>}
        </div>
        <Place book={book} />
        <div className="flex flex-wrap items-center gap-2">
          {!book.missing && book.deleted_at === null && <PlayButton book={book} />}
          <BookActions book={book} etag={etag} />
        </div>
      </div>
    </header>
  );
}

const linkClass = 'underline decoration-line-strong underline-offset-2 hover:decoration-current';

function People({ book }: { readonly book: Book }): ReactNode {
  return (
    <dl className="mt-1 grid gap-1 break-words [&_dd]:inline [&_dt]:inline [&_dt]:text-muted">
      <div>
        <dt>by </dt>
        <dd dir="auto">
          {book.authors.length === 0
            ? 'unknown author'
            : listed(
                book.authors.map(({ id, name }) => (
                  <Link key={id} to="/books/$view/$id" params={{ view: 'authors', id }} className={linkClass}>
                    {name}
                  </Link>
                )),
              )}
        </dd>
      </div>
      {book.narrators.length > 0 && (
        <div>
          <dt>read by </dt>
          <dd dir="auto">
            {listed(
              book.narrators.map((name) => (
                <Link
                  key={name}
                  to="/books/$view"
                  params={{ view: 'library' }}
                  search={{ narrator: name }}
                  className={linkClass}
                >
                  {name}
                </Link>
              )),
            )}
          </dd>
        </div>
      )}
      {book.series.length > 0 && (
        <div>
          <dt>in </dt>
          <dd dir="auto">
            {listed(
              book.series.map(({ id, name, sequence }) => (
                <Link key={id} to="/books/$view/$id" params={{ view: 'series', id }} className={linkClass}>
                  {name}
                  {sequence === null ? '' : ` #${sequence}`}
                </Link>
              )),
            )}
          </dd>
        </div>
      )}
    </dl>
  );
}

function listed(links: readonly ReactNode[]): ReactNode {
  return links.map((link, at) => (
    <span key={at}>
      {at > 0 && ', '}
      {link}
    </span>
  ));
}

function Place({ book }: { readonly book: Book }): ReactNode {
  const { progress } = book;
  if (progress === null || progress.finished) {
    return <p className="text-[13px] text-muted">{lengthText(book.duration_ms)}</p>;
  }
  return (
    <div className="grid max-w-md gap-1.5">
      <ProgressBar label="Progress" percent={progress.percent} />
      <p className="text-[13px] text-muted tabular-nums">
        {progressText(book)} of {lengthText(book.duration_ms)} · <Time at={progress.updated_at} />
      </p>
    </div>
  );
}
