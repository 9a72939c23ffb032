/**
 * Stops reading a feed in any state. A waiting generator ignores `return` but listens to its signal; one suspended at a
 * `yield` ignores the signal but can be returned from.
 */
export function endReading(iterator: AsyncIterator<unknown>, controller: AbortController): void {
  controller.abort();
  // Nobody listens to its errors any more.
  iterator.return?.().catch(() => undefined);
}
