import { describe, expect, it } from 'vitest';

import { drain, limiter } from './limit.ts';

describe('a limit', () => {
  it('lets no more run at once, lets all run, in order', async () => {
    const limit = limiter(3);
    let running = 0;
    let most = 0;
    const order: number[] = [];
    const task = async (n: number): Promise<number> => {
      running += 1;
      most = Math.max(most, running);
      order.push(n);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      if (n === 4) throw new Error('four');
      return n;
    };
    const results = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => limit(() => task(n))));
    expect(most).toBe(3);
    expect(order).toEqual(Array.from({ length: 20 }, (_, n) => n));
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  });

  it('a source is drained by several, and the first failure ends it', async () => {
    const items = async function* (): AsyncGenerator<number, void> {
      for (let n = 0; n < 100; n++) yield n;
    };
    const seen: number[] = [];
    await drain(items(), 4, (n) => Promise.resolve(void seen.push(n)));
    expect(seen.toSorted((left, right) => left - right)).toEqual(Array.from({ length: 100 }, (_, n) => n));
    let taken = 0;
    const failing = drain(items(), 4, () => {
      taken += 1;
      return taken === 10 ? Promise.reject(new Error('ten')) : Promise.resolve();
    });
    await expect(failing).rejects.toThrow('ten');
    expect(taken).toBeLessThan(20);
  });
});
