import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { SearchX } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';

import type { BookFilter, BookRow } from '../../../api/types.ts';
import { useMedia } from '../../../lib/media.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { Card, EmptyState, Failure } from '../../../ui/page.tsx';
import { useFocusWhenRendered } from '../../../ui/use-focus-when-rendered.ts';
import { BookCard, BookLine, BooksLink, NoBooks } from '../book-list.tsx';
import { useBooks } from './use-books.ts';

export type Layout = 'grid' | 'list';

interface BookGridProps {
  readonly filter: BookFilter;
  readonly layout: Layout;
  readonly onTotal: (total: number | undefined) => void;
}

const OVERSCAN = 3;
/** Number of placeholder rows while the number of books is unknown. */
const FIRST_ROWS = 3;

/** A list of any length: only visible books are rendered, and further pages are loaded on demand. */
export function BookGrid({ filter, layout, onTotal }: BookGridProps): ReactNode {
  const { container, width, top } = useMeasured();
  const { columns, rowHeight } = useShape(layout, width);
  const [range, setRange] = useState({ first: 0, last: 0 });
  const books = useBooks(filter, range);
  const length = books.isFirstLoad ? FIRST_ROWS * columns : books.length;
  const virtual = useWindowVirtualizer({
    count: width === 0 ? 0 : Math.ceil(length / columns),
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    scrollMargin: top,
  });
  // The virtualizer caches row heights, which change with the window and the layout.
  useLayoutEffect(() => virtual.measure(), [virtual, rowHeight]);
  const rows = virtual.getVirtualItems();
  const first = (rows[0]?.index ?? 0) * columns;
  const last = Math.min(length, ((rows.at(-1)?.index ?? 0) + 1) * columns) - 1;
  useEffect(() => setRange({ first, last }), [first, last]);
  useEffect(() => onTotal(books.total), [books.total, onTotal]);
  const focusBook = useFocusWhenRendered((index: number) =>
    container.current?.querySelector<HTMLElement>(`[data-place="${index}"] [data-book]`),
  );
  const keys = useGridKeys(length, columns, rowHeight, (index) => {
    virtual.scrollToIndex(Math.floor(index / columns), { align: 'auto' });
    focusBook(index);
  });
  useScrollMemory(JSON.stringify([layout, filter]), width > 0 && !books.isFirstLoad);
  const isEmpty = !books.isFirstLoad && books.length === 0;
  return (
    <div ref={container} onKeyDown={keys.onKeyDown} aria-busy={books.isFirstLoad} className="relative">
      {books.error !== null && <Failure error={books.error} onRetry={books.retry} />}
      {isEmpty && books.error === null && <NoMatch filter={filter} />}
      <ul
        aria-label="Books"
        className={`relative ${layout === 'list' && !isEmpty ? 'overflow-hidden rounded-xl border border-line bg-surface' : ''}`}
        style={{ height: virtual.getTotalSize() }}
      >
        {rows.flatMap((row) =>
          Array.from({ length: Math.min(columns, length - row.index * columns) }, (_, column) => {
            const index = row.index * columns + column;
            const share = `(100% - ${GAP * (columns - 1)}px) / ${columns}`;
            return (
              <li
                key={index}
                data-place={index}
                aria-setsize={books.total ?? -1}
                aria-posinset={index + 1}
                onFocus={() => keys.setCurrent(index)}
                className={`absolute top-0 ${layout === 'list' ? 'w-full border-b border-line' : ''}`}
                style={{
                  transform: `translateY(${row.start - top}px)`,
                  ...(layout === 'list'
                    ? { height: rowHeight }
                    : { left: `calc((${share} + ${GAP}px) * ${column})`, width: `calc(${share})` }),
                }}
              >
                <BookCell book={books.rowAt(index)} layout={layout} isInTabOrder={index === keys.current} />
              </li>
            );
          }),
        )}
      </ul>
    </div>
  );
}

interface BookCellProps {
  readonly book: BookRow | undefined;
  readonly layout: Layout;
  readonly isInTabOrder: boolean;
}

function BookCell({ book, layout, isInTabOrder }: BookCellProps): ReactNode {
  if (book !== undefined) {
    const Item = layout === 'list' ? BookLine : BookCard;
    return <Item book={book} isInTabOrder={isInTabOrder} />;
  }
  return layout === 'list' ? (
    <div aria-hidden data-skeleton className="flex h-full items-center gap-3 px-3 sm:gap-4 sm:px-4">
      <div className="size-12 rounded-lg bg-line" />
      <div className="h-3.5 w-2/5 rounded bg-line" />
    </div>
  ) : (
    <div aria-hidden data-skeleton className="grid gap-2">
      <div className="aspect-square w-full rounded-lg bg-line" />
      <div className="h-3.5 w-4/5 rounded bg-line" />
      <div className="h-3 w-1/2 rounded bg-line" />
    </div>
  );
}

function NoMatch({ filter }: { readonly filter: BookFilter }): ReactNode {
  const { sort: _sort, order: _order, ...conditions } = filter;
  return (
    <Card isFlush>
      {Object.keys(conditions).length === 0 ? (
        <NoBooks />
      ) : (
        <EmptyState icon={SearchX} title="No matching books">
          <p>Search for part of a title or name, or clear the filters.</p>
          <BooksLink view="library" className={buttonClass()}>
            Clear filters
          </BooksLink>
        </EmptyState>
      )}
    </Card>
  );
}

/** Measures the list, because its size and position change with the window and with the content above it. */
function useMeasured() {
  const container = useRef<HTMLDivElement>(null);
  const [measured, setMeasured] = useState({ width: 0, top: 0 });
  useLayoutEffect(() => {
    const element = container.current;
    if (element === null) return undefined;
    const measure = (): void => {
      const { width, top } = element.getBoundingClientRect();
      const next = { width: Math.round(width), top: Math.round(top + window.scrollY) };
      setMeasured((known) => (known.width === next.width && known.top === next.top ? known : next));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  return { container, ...measured };
}

/** Below this width, list rows are taller, because the duration is shown below the author. */
const NARROW = '(width < 40rem)';
const LINE_HEIGHT = 65;
const LINE_HEIGHT_NARROW = 73;
const CARD_WIDTH = 150;
const CARD_WIDTH_NARROW = 132;
const GAP = 16;
/** Height of title, author and length below a cover. */
const CAPTION_HEIGHT = 92;

/** Fits as many equally wide covers as possible into a row; a list has one book per row. */
function useShape(layout: Layout, width: number): { readonly columns: number; readonly rowHeight: number } {
  const isNarrow = useMedia(NARROW);
  if (layout === 'list') return { columns: 1, rowHeight: isNarrow ? LINE_HEIGHT_NARROW : LINE_HEIGHT };
  const cardWidth = width < 480 ? CARD_WIDTH_NARROW : CARD_WIDTH;
  const columns = Math.max(2, Math.floor((width + GAP) / (cardWidth + GAP)));
  return { columns, rowHeight: Math.round((width - GAP * (columns - 1)) / columns + CAPTION_HEIGHT + GAP) };
}

/** Arrow keys move between books, even to those that are not rendered yet. Tab reaches only the current book. */
function useGridKeys(length: number, columns: number, rowHeight: number, reveal: (index: number) => void) {
  const [chosen, setCurrent] = useState(0);
  const current = Math.min(chosen, Math.max(0, length - 1));
  const screen = columns * Math.max(1, Math.floor(window.innerHeight / rowHeight) - 1);
  const steps: Readonly<Record<string, number>> = {
    ...(columns === 1 ? {} : { ArrowRight: 1, ArrowLeft: -1 }),
    ArrowDown: columns,
    ArrowUp: -columns,
    PageDown: screen,
    PageUp: -screen,
    Home: -length,
    End: length,
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = steps[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const next = Math.min(length - 1, Math.max(0, current + step));
    setCurrent(next);
    reveal(next);
  };
  return { current, setCurrent, onKeyDown };
}

/** Scroll positions of lists, restored when the user returns from a book. They are lost when the page closes. */
const scrollPositions = new Map<string, number>();
const POSITIONS_MAX = 50;
const TRIES = 60;

/** Remembers the scroll position, and restores it as soon as the list is tall enough. */
function useScrollMemory(name: string, isReady: boolean): void {
  useEffect(() => {
    if (!isReady) return undefined;
    const before = scrollPositions.get(name) ?? 0;
    const { pathname } = window.location;
    const remember = (): void => {
      // Navigating away also scrolls to the top; that position must not be remembered.
      if (window.location.pathname !== pathname) return;
      scrollPositions.delete(name);
      scrollPositions.set(name, window.scrollY);
      const oldest = scrollPositions.keys().next().value;
      if (scrollPositions.size > POSITIONS_MAX && oldest !== undefined) scrollPositions.delete(oldest);
    };
    let frame = 0;
    // Starts after the shell has scrolled to the top, and tries again until the list is tall enough.
    const restore = (tries: number): void => {
      window.scrollTo(0, before);
      const isThere = Math.abs(window.scrollY - before) < 2;
      if (isThere || tries === 0) window.addEventListener('scroll', remember, { passive: true });
      else frame = requestAnimationFrame(() => restore(tries - 1));
    };
    frame = requestAnimationFrame(() => (before === 0 ? restore(0) : restore(TRIES)));
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener('scroll', remember);
    };
  }, [name, isReady]);
}
