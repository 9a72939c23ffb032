/**
 * Stops reading a feed in any state. A generator that waits for more ignores `return` but listens to its signal; one
 * that is suspended at a `yield` does not see the signal but can be returned from.
 */
export function endReading(iterator: AsyncIterator<unknown>, controller: AbortController): void {
  controller.abort();
  // Its errors have no listener any more.
  iterator.return?.().catch(() => undefined);
}
