import { createStore, useStore } from './store.ts';

const TICK_MS = 5_000;
const now = createStore(Date.now());
let listeners = 0;
let timer: ReturnType<typeof setInterval> | undefined;

/** One clock for the whole page. It ticks only while it has subscribers. */
export const clock = {
  ...now,
  subscribe(listener: () => void): () => void {
    const unsubscribe = now.subscribe(listener);
    listeners += 1;
    if (timer === undefined) {
      // The clock stops without subscribers. Without this update, newer events would appear to be in the future.
      now.set(Date.now());
      timer = setInterval(() => now.set(Date.now()), TICK_MS);
    }
    return () => {
      unsubscribe();
      listeners -= 1;
      if (listeners > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  },
};

export function useNow(): number {
  return useStore(clock);
}
