import type { ReactNode } from 'react';

import type { BookRow } from '../../../api/types.ts';
import { BookCard } from '../book-card.tsx';
import { BookLine } from '../book-line.tsx';
import { GAP } from './grid-layout.ts';

export type Layout = 'grid' | 'list';

interface BookCellProps {
  readonly book: BookRow | undefined;
  readonly layout: Layout;
  readonly index: number;
  readonly total: number | undefined;
  readonly top: number;
  /** Height of the row. */
  readonly height: number;
  readonly column: number;
  readonly columns: number;
  readonly isInTabOrder: boolean;
  readonly onFocus: (index: number) => void;
}

/** One cell of the list: a book, or a placeholder while it is loading. */
export function BookCell(props: BookCellProps): ReactNode {
  const { book, layout, index, total, top, height, column, columns, isInTabOrder, onFocus } = props;
  const share = `(100% - ${GAP * (columns - 1)}px) / ${columns}`;
  const isList = layout === 'list';
  return (
    <li
      data-place={index}
      aria-setsize={total ?? -1}
      aria-posinset={index + 1}
      onFocus={() => onFocus(index)}
      className={`absolute top-0 ${isList ? 'w-full border-b border-line' : ''}`}
      style={{
        transform: `translateY(${top}px)`,
        ...(isList ? { height } : { left: `calc((${share} + ${GAP}px) * ${column})`, width: `calc(${share})` }),
      }}
    >
      {book === undefined ? (
        isList ? (
          <LineSkeleton />
        ) : (
          <CardSkeleton />
        )
      ) : isList ? (
        <BookLine book={book} isInTabOrder={isInTabOrder} />
      ) : (
        <BookCard book={book} isInTabOrder={isInTabOrder} />
      )}
    </li>
  );
}

/** Placeholder for a book that is being loaded. */
function CardSkeleton(): ReactNode {
  return (
    <div aria-hidden data-skeleton className="grid gap-2">
      <div className="aspect-square w-full rounded-lg bg-line" />
      <div className="h-3.5 w-4/5 rounded bg-line" />
      <div className="h-3 w-1/2 rounded bg-line" />
    </div>
  );
}

function LineSkeleton(): ReactNode {
  return (
    <div aria-hidden data-skeleton className="flex h-full items-center gap-3 px-3 sm:gap-4 sm:px-4">
      <div className="size-12 rounded-lg bg-line" />
      <div className="h-3.5 w-2/5 rounded bg-line" />
    </div>
  );
}
