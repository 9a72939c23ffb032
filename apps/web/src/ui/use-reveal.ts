import { type RefObject, useLayoutEffect, useRef } from 'react';

interface RevealInput<Row> {
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly bringIntoSight: (index: number) => void;
}

interface Reveal {
  readonly reveal: (index: number) => void;
}

/**
 * Gives a row of a virtual list the focus. A row that was far away, or in a list that appears with it, is drawn some
 * time later: the focus waits for it however long that takes.
 */
export function useReveal<Row>({ rows, keyOf, scroller, bringIntoSight }: RevealInput<Row>): Reveal {
  const wanted = useRef<string>(undefined);
  const focusWanted = (): void => {
    if (wanted.current === undefined) return;
    const index = rows.findIndex((row) => keyOf(row) === wanted.current);
    const drawn = scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"] [data-row]`);
    if (index >= 0 && !drawn) return;
    wanted.current = undefined;
    drawn?.focus({ preventScroll: true });
  };
  // After every drawing: the one that has the row is not known beforehand.
  useLayoutEffect(focusWanted);
  return {
    reveal(index) {
      const row = rows[index];
      if (row === undefined) return;
      wanted.current = keyOf(row);
      bringIntoSight(index);
      focusWanted();
    },
  };
}
