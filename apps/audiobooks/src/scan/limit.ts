/** Lets only so many run at the same time; the others wait in the order they came. */
export function limiter(max: number): <T>(task: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (task) => {
    if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await task();
    } finally {
      // The place is handed over, so that nobody who comes meanwhile takes it.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}

/** Runs `workers` of the same kind over one source until it is exhausted. The first failure stops all. */
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
