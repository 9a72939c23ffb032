import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, type Ref, useEffect, useImperativeHandle, useRef } from 'react';

import { ScrollRegion } from './page.tsx';
import { useFocusWhenRendered } from './use-focus-when-rendered.ts';

export interface ListControls {
  /** Scrolls a row into view and focuses its `data-row` element. */
  readonly reveal: (index: number) => void;
}

interface VirtualListProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly render: (row: Row) => ReactNode;
  readonly rowHeight: number;
  /** Called when the user scrolls near the end of the list. */
  readonly onEnd?: () => void;
  readonly controls?: Ref<ListControls>;
}

const NEAR_END = 20;

/** A list of any length: only visible rows are rendered. Rows may change their height. */
export function VirtualList<Row>(props: VirtualListProps<Row>): ReactNode {
  const { label, rows, keyOf, render, rowHeight, onEnd, controls } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => {
      const row = rows[index];
      return row === undefined ? index : keyOf(row);
    },
    overscan: 10,
  });
  const focusRow = useFocusWhenRendered((key: string) => {
    const index = rows.findIndex((row) => keyOf(row) === key);
    return scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"] [data-row]`);
  });
  useImperativeHandle(controls, () => ({
    reveal(index) {
      const row = rows[index];
      if (row === undefined) return;
      virtual.scrollToIndex(index, { align: 'auto' });
      focusRow(keyOf(row));
    },
  }));
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (rows.length > 0 && last >= rows.length - NEAR_END) onEnd?.();
  }, [last, rows.length, onEnd]);
  return (
    <ScrollRegion ref={scroller} label={label} className="max-h-[70vh] overflow-y-auto">
      <ul className="relative" style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, key, start }) => {
          const row = rows[index];
          return row === undefined ? null : (
            <li
              key={key}
              data-index={index}
              ref={virtual.measureElement}
              aria-setsize={rows.length}
              aria-posinset={index + 1}
              className={`absolute top-0 left-0 w-full border-line ${index === rows.length - 1 ? '' : 'border-b'}`}
              style={{ transform: `translateY(${start}px)` }}
            >
              {render(row)}
            </li>
          );
        })}
      </ul>
    </ScrollRegion>
  );
}
