import { useEffect, useRef } from 'react';

import { createStore } from '../lib/store.ts';

export interface PageKey {
  readonly key: string;
  /** For the list of shortcuts. */
  readonly does: string;
  readonly run: () => void;
}

/** Keys of the page that is shown. The shell listens for all keys, so that sequences such as `g k` stay its own. */
export const pageKeys = createStore<readonly PageKey[]>([]);

/** The keys must stay the same while the page is shown; what they do may follow its state. */
export function usePageKeys(keys: readonly PageKey[]): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const run = (at: number) => () => latest.current[at]?.run();
    pageKeys.set(latest.current.map((each, at) => ({ ...each, run: run(at) })));
    return () => pageKeys.set([]);
  }, []);
}
