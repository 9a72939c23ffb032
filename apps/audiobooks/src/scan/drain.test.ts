import { expect, test } from 'vitest';

import { drain } from './engine.ts';

test('Several workers drain one source, and the first failure ends it', async () => {
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
