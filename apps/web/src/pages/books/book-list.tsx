import { Link } from '@tanstack/react-router';
import { Headphones, Pause, Play } from 'lucide-react';
import { type ComponentProps, type ReactNode, useSyncExternalStore } from 'react';

import type { BookRow } from '../../api/types.ts';
import { onPlayback, playbackStatus, playBook, togglePlay } from '../../player/player.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/page.tsx';
import { authorsText, lengthText, progressText } from './book-text.ts';
import { Cover } from './cover.tsx';

export interface BooksTarget {
  /** Name of a view, or the id of a book. */
  readonly view: string;
  readonly id?: string | undefined;
  readonly search?: Readonly<Record<string, string>>;
}

type BooksLinkProps = BooksTarget & Omit<ComponentProps<'a'>, 'href' | 'id' | 'target'>;

export function BooksLink({ view, id, search = {}, ...rest }: BooksLinkProps): ReactNode {
  return <Link to={id === undefined ? `/books/${view}` : `/books/${view}/${id}`} search={search} {...rest} />;
}

interface BookCardProps {
  readonly book: BookRow;
  /** Whether the Tab key reaches this card. In a grid, Tab reaches one card and arrow keys reach the others. */
  readonly isInTabOrder?: boolean;
  readonly mark?: string | null | undefined;
}

export function BookCard({ book, isInTabOrder = true, mark }: BookCardProps): ReactNode {
  const { progress } = book;
  const tabIndex = isInTabOrder ? 0 : -1;
  return (
    <article aria-label={book.title} className="group relative grid min-w-0 content-start gap-2">
      <BooksLink
        view={book.id}
        data-book={book.id}
        tabIndex={tabIndex}
        className="grid min-w-0 content-start gap-2 rounded-lg"
      >
        <span className={`block transition-opacity ${book.missing ? 'opacity-50' : ''}`}>
          <Cover book={book} size={256} />
        </span>
        <span className="grid min-w-0 gap-0.5">
          <bdi className="line-clamp-2 leading-snug font-medium break-words group-hover:underline">{book.title}</bdi>
          <bdi className="truncate text-[13px] text-muted">{authorsText(book)}</bdi>
          <span className="truncate text-xs text-muted tabular-nums">
            {book.missing ? 'Files missing' : progressText(book)}
          </span>
        </span>
      </BooksLink>
      <div className="pointer-events-none absolute inset-x-0 top-0 aspect-square overflow-hidden rounded-lg">
        {typeof mark === 'string' && (
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
          <button
            type="button"
            aria-label={`Play ${book.title}`}
            tabIndex={tabIndex}
            onClick={() => playBook(book)}
            // The button is always visible on touch screens, which have no hover.
            className="pointer-events-auto absolute right-2 bottom-2 grid size-9 place-items-center rounded-full bg-accent text-on-accent opacity-0 shadow-lg transition-opacity group-focus-within:opacity-100 group-hover:opacity-100 hover:bg-accent-strong focus-visible:opacity-100 [@media(hover:none)]:opacity-100"
          >
            <Play className="size-4 translate-x-px fill-current" aria-hidden />
          </button>
        )}
      </div>
    </article>
  );
}

export function BookCards({ label, children }: { readonly label: string; readonly children: ReactNode }): ReactNode {
  return (
    <ul
      aria-label={label}
      className="grid grid-cols-[repeat(auto-fill,minmax(8.25rem,1fr))] gap-x-4 gap-y-6 sm:grid-cols-[repeat(auto-fill,minmax(9.5rem,1fr))]"
    >
      {children}
    </ul>
  );
}

interface BookLineProps extends Omit<BookCardProps, 'mark'> {
  readonly children?: ReactNode;
}

export function BookLine({ book, isInTabOrder = true, children }: BookLineProps): ReactNode {
  const [series] = book.series;
  return (
    <div className="flex min-w-0 items-center gap-3 px-3 py-2 hover:bg-sunken sm:px-4">
      <BooksLink
        view={book.id}
        data-book={book.id}
        tabIndex={isInTabOrder ? 0 : -1}
        className="flex min-w-0 flex-1 items-center gap-3 rounded-md sm:gap-4"
      >
        <span className="w-12 shrink-0">
          <Cover book={book} size={96} />
        </span>
        <span className="grid min-w-0 flex-1 gap-x-6 sm:grid-cols-[minmax(0,5fr)_minmax(0,4fr)_7rem] sm:items-center">
          <span className="grid min-w-0">
            <bdi className="truncate font-medium">{book.title}</bdi>
            <bdi className="truncate text-[13px] text-muted">{authorsText(book)}</bdi>
          </span>
          <span className="hidden min-w-0 text-[13px] text-muted sm:grid">
            <bdi className="truncate">{series !== undefined && seriesText(series)}</bdi>
            <bdi className="truncate">{book.narrators.length > 0 && `read by ${book.narrators.join(', ')}`}</bdi>
          </span>
          <span className="flex gap-x-2 text-xs text-muted tabular-nums sm:grid sm:justify-items-end sm:text-right">
            {book.missing ? <Badge tone="warn">Missing</Badge> : <span>{lengthText(book.duration_ms)}</span>}
            {book.progress !== null && <span className="text-accent-strong">{progressText(book)}</span>}
          </span>
        </span>
      </BooksLink>
      {children}
    </div>
  );
}

export function seriesText({ name, sequence }: BookRow['series'][number]): string {
  return sequence === null ? name : `${name} #${sequence}`;
}

export function PlayButton({ book }: { readonly book: BookRow }): ReactNode {
  const { progress } = book;
  const status = useSyncExternalStore(onPlayback, () => playbackStatus(book.id));
  const isOpen = status === 'playing' || status === 'elsewhere';
  const start = progress === null ? 'Play' : progress.finished ? 'Listen again' : 'Resume';
  const word = status === 'playing' ? 'Pause' : status === 'elsewhere' ? 'Play here' : start;
  return (
    <Button
      variant="primary"
      icon={status === 'playing' ? Pause : Play}
      aria-label={`${word} ${book.title}`}
      onClick={() => (isOpen ? togglePlay() : progress?.finished === true ? playBook(book, 0) : playBook(book))}
    >
      {word}
    </Button>
  );
}

export function NoBooks(): ReactNode {
  return (
    <EmptyState icon={Headphones} title="No audiobooks yet">
      <p>Books appear here after you scan a library on the Home tab.</p>
    </EmptyState>
  );
}
