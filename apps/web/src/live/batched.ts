/** Collects what comes in quick succession, so that a busy source does not make the page draw or ask more often. */
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
