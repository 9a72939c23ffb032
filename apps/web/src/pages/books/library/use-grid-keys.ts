import { type KeyboardEvent, useState } from 'react';

interface GridKeys {
  /** Index of the item that the Tab key reaches. */
  readonly current: number;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onFocus: (index: number) => void;
}

interface GridKeysInput {
  readonly places: number;
  readonly columns: number;
  /** Rows that fit on the screen. */
  readonly screen: number;
  readonly reveal: (index: number) => void;
}

/** Arrow keys move between books, including those not drawn yet. */
export function useGridKeys({ places, columns, screen, reveal }: GridKeysInput): GridKeys {
  const [chosen, setCurrent] = useState(0);
  const current = Math.min(chosen, Math.max(0, places - 1));
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: columns === 1 ? 0 : 1,
    ArrowLeft: columns === 1 ? 0 : -1,
    ArrowDown: columns,
    ArrowUp: -columns,
    PageDown: columns * screen,
    PageUp: -columns * screen,
    Home: -places,
    End: places,
  };
  return {
    current,
    onFocus: setCurrent,
    onKeyDown(event) {
      const step = steps[event.key];
      if (step === undefined || step === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      const next = Math.min(places - 1, Math.max(0, current + step));
      setCurrent(next);
      reveal(next);
    },
  };
}
