import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';

import { bookQuery, jumpsQuery, rightsQuery } from '../../../api/audiobooks-queries.ts';
import type { Book } from '../../../api/types.ts';
import { playBook } from '../../../player/player.ts';
import { Card } from '../../../ui/card.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { LongText } from '../../../ui/long-text.tsx';
import { Time } from '../../../ui/time.tsx';
import { BookLine } from '../book-line.tsx';
import { clockTime } from '../../../lib/format.ts';
import { BookHead } from './book-head.tsx';
import { Bookmarks } from './bookmarks.tsx';
import { Chapters } from './chapters.tsx';
import { Facts } from './facts.tsx';
import { Files } from './files.tsx';
import { History } from './history.tsx';

export function BookView({ id }: { readonly id: string }): ReactNode {
  const book = useQuery(bookQuery(id));
  const title = book.data?.book.title;
  useEffect(() => {
    if (title !== undefined) document.title = `${title} · Holdfast`;
  }, [title]);
  return <Loaded query={book}>{({ book: found, etag }) => <Shown book={found} etag={etag} />}</Loaded>;
}

function Shown({ book, etag }: { readonly book: Book; readonly etag: string | null }): ReactNode {
  const mayEdit = useQuery(rightsQuery).data?.can.edit ?? false;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <BookHead book={book} etag={etag} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,5fr)_minmax(0,3fr)]">
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-6">
          {book.description !== null && (
            <Card title="Description">
              <div dir="auto">
                <LongText text={book.description} />
              </div>
            </Card>
          )}
          <Chapters book={book} />
          <Bookmarks book={book} />
          {mayEdit && <History book={book} />}
        </div>
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-6">
          <Facts book={book} />
          <Editions book={book} />
          <Jumps book={book} />
          <Files book={book} />
        </div>
      </div>
    </div>
  );
}

/** Other editions of the same work. */
function Editions({ book }: { readonly book: Book }): ReactNode {
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

const SHOWN = 8;

/** Positions before recent jumps on any device, so that an accidental jump loses nothing. */
function Jumps({ book }: { readonly book: Book }): ReactNode {
  const { data: jumps = [] } = useQuery(jumpsQuery(book.id));
  if (jumps.length === 0) return null;
  return (
    <Card title="Jump back" description="Positions before recent jumps" isFlush>
      <ul className="divide-y divide-line border-t border-line">
        {jumps.slice(0, SHOWN).map(({ position_ms: position, at, reason }) => (
          <li key={`${at} ${position}`}>
            <button
              type="button"
              aria-label={`Play from ${clockTime(position)}`}
              onClick={() => playBook(book, position)}
              className="flex w-full items-center gap-3 px-5 py-2 text-left -outline-offset-2 hover:bg-sunken"
            >
              <span className="font-medium text-accent-strong tabular-nums">{clockTime(position)}</span>
              <span className="min-w-0 flex-1 truncate text-[13px] text-muted">{reason}</span>
              <span className="text-[13px] text-muted">
                <Time at={at} />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Card>
  );
}
