import { useEffect, useRef } from 'react';

import { createStore } from '../lib/store.ts';

export interface PageKey {
  readonly key: string;
  readonly does: string;
  readonly run: () => void;
}

/** Shortcuts of the current page. The shell handles all keys, so that sequences like `g k` take precedence. */
export const pageKeys = createStore<readonly PageKey[]>([]);

/** Registers shortcuts. The set of keys must not change while the page is shown; their actions may change. */
export function usePageKeys(keys: readonly PageKey[]): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const run = (at: number) => () => latest.current[at]?.run();
    pageKeys.set(latest.current.map((each, at) => ({ ...each, run: run(at) })));
    return () => pageKeys.set([]);
  }, []);
}
