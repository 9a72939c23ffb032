import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

interface Measured {
  readonly place: RefObject<HTMLDivElement | null>;
  readonly width: number;
  /** Distance of the list from the top of the page. */
  readonly top: number;
}

/** Measures the list, whose size and position change with the window and the content above it. */
export function useMeasured(): Measured {
  const place = useRef<HTMLDivElement>(null);
  const [measured, setMeasured] = useState({ width: 0, top: 0 });
  useLayoutEffect(() => {
    const element = place.current;
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
  return { place, ...measured };
}

const CARD_MIN = 150;
const CARD_MIN_NARROW = 132;
export const GAP = 16;
/** Title, author and length below a cover. */
const WORDS_HEIGHT = 92;
const LINE_HEIGHT = 65;
/** In narrow windows the length is below the author. */
const LINE_HEIGHT_NARROW = 73;

export interface Shape {
  readonly columns: number;
  readonly rowHeight: number;
}

/** As many equally wide covers per row as fit. */
export function gridShape(width: number): Shape {
  const least = width < 480 ? CARD_MIN_NARROW : CARD_MIN;
  const columns = Math.max(2, Math.floor((width + GAP) / (least + GAP)));
  return { columns, rowHeight: Math.round((width - GAP * (columns - 1)) / columns + WORDS_HEIGHT + GAP) };
}

export function listShape(isNarrow: boolean): Shape {
  return { columns: 1, rowHeight: isNarrow ? LINE_HEIGHT_NARROW : LINE_HEIGHT };
}
