import { createStore, type Store } from './store.ts';

const FRESH_MS = 6_000;

export interface Fresh extends Pick<Store<ReadonlySet<string>>, 'get' | 'subscribe'> {
  readonly mark: (ids: Iterable<string>) => void;
}

/** Ids of recently changed items, which are highlighted for a while. Another change extends the time. */
export function createRecentIds(forMs: number = FRESH_MS): Fresh {
  const ids = createStore<ReadonlySet<string>>(new Set());
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const fade = (id: string): void => {
    timers.delete(id);
    ids.set(new Set([...ids.get()].filter((each) => each !== id)));
  };
  return {
    get: ids.get,
    subscribe: ids.subscribe,
    mark(changed) {
      const next = new Set(ids.get());
      for (const id of changed) {
        clearTimeout(timers.get(id));
        timers.set(
          id,
          setTimeout(() => fade(id), forMs),
        );
        next.add(id);
      }
      ids.set(next);
    },
  };
}
