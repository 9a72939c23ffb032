/**
 * Ends the reading of a feed in whatever state it is. A generator that waits for more cannot be returned from, but heeds
 * its signal; one that stands at a `yield` does not see the signal, but can be returned from.
 */
export function endReading(iterator: AsyncIterator<unknown>, controller: AbortController): void {
  controller.abort();
  // What it throws on its way out concerns nobody any more.
  iterator.return?.().catch(() => undefined);
}
