/** Collects items for `afterMs` and handles them together, so that many events do not each redraw the page. */
export function batched<Item>(afterMs: number, handle: (items: readonly Item[]) => void): (item: Item) => void {
  let waiting: Item[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = (): void => {
    const items = waiting;
    waiting = [];
    timer = undefined;
    handle(items);
  };
  return (item) => {
    waiting.push(item);
    timer ??= setTimeout(flush, afterMs);
  };
}
