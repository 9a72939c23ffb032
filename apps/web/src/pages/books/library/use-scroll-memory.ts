import { useEffect } from 'react';

/** Scroll positions of lists, restored when the user returns from a book. Kept while the page is open. */
const places = new Map<string, number>();
const KEPT = 50;
const TRIES = 60;

/** Remembers the scroll position, and restores it once the list is tall enough. */
export function useScrollMemory(name: string, isReady: boolean): void {
  useEffect(() => {
    if (!isReady) return undefined;
    const before = places.get(name) ?? 0;
    const { pathname } = window.location;
    const note = (): void => {
      // Navigating away scrolls to the top, too.
      if (window.location.pathname !== pathname) return;
      places.delete(name);
      places.set(name, window.scrollY);
      const oldest = places.keys().next().value;
      if (places.size > KEPT && oldest !== undefined) places.delete(oldest);
    };
    let frame = 0;
    // Runs after the shell has scrolled to the top, when the list has its height.
    const goBack = (tries: number): void => {
      window.scrollTo(0, before);
      const isThere = Math.abs(window.scrollY - before) < 2;
      if (isThere || tries === 0) window.addEventListener('scroll', note, { passive: true });
      else frame = requestAnimationFrame(() => goBack(tries - 1));
    };
    frame = requestAnimationFrame(() => (before === 0 ? goBack(0) : goBack(TRIES)));
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener('scroll', note);
    };
  }, [name, isReady]);
}
