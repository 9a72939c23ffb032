/** Runs `work` on the items of `source`, up to `workers` at a time. The first failure stops all. */
export async function drain<T>(
  source: AsyncIterator<T>,
  workers: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  let hasFailed = false;
  const one = async (): Promise<void> => {
    while (!hasFailed) {
      const next = await source.next();
      if (next.done === true) return;
      try {
        await work(next.value);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: workers }, one));
}
