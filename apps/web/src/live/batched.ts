/** Collects items for `afterMs` and handles them together, so that a busy source does not redraw the page per event. */
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
