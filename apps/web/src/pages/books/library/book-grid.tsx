import { Link } from '@tanstack/react-router';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { SearchX } from 'lucide-react';
import { type ReactNode, useEffect, useLayoutEffect, useState } from 'react';

import type { BookFilter } from '../../../api/types.ts';
import { useMedia } from '../../../lib/media.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { useFocusWhenDrawn } from '../../../ui/use-focus-when-drawn.ts';
import { NoBookYet } from '../no-book-yet.tsx';
import { BookCell, type Layout } from './book-cell.tsx';
import { useBooks } from './use-books.ts';
import { gridShape, listShape, useMeasured } from './grid-layout.ts';
import { useGridKeys } from './use-grid-keys.ts';
import { useScrollMemory } from './use-scroll-memory.ts';

interface BookGridProps {
  readonly filter: BookFilter;
  readonly layout: Layout;
  readonly onTotal: (total: number | undefined) => void;
}

/** Below this width, rows of the list are taller. */
const NARROW = '(width < 40rem)';
const OVERSCAN = 3;
/** Rows drawn while the number of books is unknown. */
const FIRST_ROWS = 3;

/** A virtual list of any length: only visible books are in the page, and only nearby ones are loaded. */
export function BookGrid({ filter, layout, onTotal }: BookGridProps): ReactNode {
  const { place, width, top } = useMeasured();
  const isNarrow = useMedia(NARROW);
  const { columns, rowHeight } = layout === 'list' ? listShape(isNarrow) : gridShape(width);
  const [range, setRange] = useState({ first: 0, last: 0 });
  const books = useBooks(filter, range);
  const places = books.isFirstLoad ? FIRST_ROWS * columns : books.places;
  const virtual = useWindowVirtualizer({
    count: width === 0 ? 0 : Math.ceil(places / columns),
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    scrollMargin: top,
  });
  // Resets the cached row heights after the window has been resized.
  useLayoutEffect(() => virtual.measure(), [virtual, rowHeight]);
  const rows = virtual.getVirtualItems();
  const first = (rows[0]?.index ?? 0) * columns;
  const last = Math.min(places, ((rows.at(-1)?.index ?? 0) + 1) * columns) - 1;
  useEffect(() => setRange({ first, last }), [first, last]);
  useEffect(() => onTotal(books.total), [books.total, onTotal]);
  const focusBook = useFocusWhenDrawn((index: number) =>
    place.current?.querySelector<HTMLElement>(`[data-place="${index}"] [data-book]`),
  );
  const keys = useGridKeys({
    places,
    columns,
    screen: Math.max(1, Math.floor(window.innerHeight / rowHeight) - 1),
    reveal: (index) => {
      virtual.scrollToIndex(Math.floor(index / columns), { align: 'auto' });
      focusBook(index);
    },
  });
  useScrollMemory(JSON.stringify([layout, filter]), width > 0 && !books.isFirstLoad);
  const isEmpty = !books.isFirstLoad && books.places === 0;
  return (
    <div ref={place} onKeyDown={keys.onKeyDown} aria-busy={books.isFirstLoad} className="relative">
      {books.error !== null && <Failure error={books.error} onRetry={books.retry} />}
      {isEmpty && books.error === null && <NothingFits filter={filter} />}
      <ul
        aria-label="Books"
        className={`relative ${layout === 'list' && !isEmpty ? 'overflow-hidden rounded-xl border border-line bg-surface' : ''}`}
        style={{ height: virtual.getTotalSize() }}
      >
        {rows.flatMap((row) =>
          Array.from({ length: Math.min(columns, places - row.index * columns) }, (_, column) => {
            const index = row.index * columns + column;
            return (
              <BookCell
                key={index}
                book={books.rowAt(index)}
                layout={layout}
                index={index}
                total={books.total}
                top={row.start - top}
                height={rowHeight}
                column={column}
                columns={columns}
                isInTabOrder={index === keys.current}
                onFocus={keys.onFocus}
              />
            );
          }),
        )}
      </ul>
    </div>
  );
}

function NothingFits({ filter }: { readonly filter: BookFilter }): ReactNode {
  const { sort: _sort, order: _order, ...narrowing } = filter;
  const isNarrowed = Object.keys(narrowing).length > 0;
  return (
    <Card isFlush>
      {isNarrowed ? (
        <EmptyState icon={SearchX} title="No matching books">
          <p>Search for part of a title or name, or clear the filters.</p>
          <Link to="/books/$view" params={{ view: 'library' }} search={{}} className={buttonClass()}>
            Clear filters
          </Link>
        </EmptyState>
      ) : (
        <NoBookYet />
      )}
    </Card>
  );
}
