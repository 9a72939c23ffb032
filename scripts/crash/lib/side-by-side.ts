/** Runs a task for each item, a limited number at a time. Throws the first failure after running tasks have ended. */
export async function sideBySide<T>(
  items: readonly T[],
  width: number,
  task: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const lane = async (): Promise<void> => {
    for (const item of queue) await task(item);
  };
  const ends = await Promise.allSettled(Array.from({ length: Math.min(width, items.length) }, lane));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
