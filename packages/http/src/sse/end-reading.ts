/**
 * Stops reading a feed in any state. A waiting generator ignores `return` but listens to its signal; one suspended at a
 * `yield` ignores the signal but can be returned from.
 */
export function endReading(iterator: AsyncIterator<unknown>, controller: AbortController): void {
  controller.abort();
  // The reader is gone, so a late error has no listener.
  iterator.return?.().catch(() => undefined);
}
