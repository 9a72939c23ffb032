import type { ReactNode } from 'react';

import type { BookRow } from '../../../api/audiobooks-types.ts';
import { BookCard } from '../book-card.tsx';
import { BookLine } from '../book-line.tsx';
import { CardSkeleton, LineSkeleton } from './book-skeleton.tsx';
import { GAP } from './use-columns.ts';

interface BookPlaceProps {
  readonly book: BookRow | undefined;
  readonly look: 'grid' | 'list';
  readonly index: number;
  readonly total: number | undefined;
  /** Pixels from the top of the list. */
  readonly top: number;
  /** Of the row. */
  readonly height: number;
  readonly column: number;
  readonly columns: number;
  readonly isInTabOrder: boolean;
  readonly onFocus: (index: number) => void;
}

/** One place of the list, with its book or with the shape of one that is on its way. */
export function BookPlace(props: BookPlaceProps): ReactNode {
  const { book, look, index, total, top, height, column, columns, isInTabOrder, onFocus } = props;
  const share = `(100% - ${GAP * (columns - 1)}px) / ${columns}`;
  const isList = look === 'list';
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
