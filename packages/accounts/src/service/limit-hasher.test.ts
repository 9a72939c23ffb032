import { describe, expect, it } from 'vitest';

import type { Hasher } from '../adapters/argon2.ts';
import { limitHasher } from './limit-hasher.ts';

const policy = { memory_kib: 8, iterations: 1, parallelism: 1, version: 1 } as const;

/** Each hash waits until it is released. */
function slowHasher(): { readonly hasher: Hasher; readonly release: () => void; readonly most: () => number } {
  const waiting: (() => void)[] = [];
  let running = 0;
  let most = 0;
  const work = async <T>(result: T): Promise<T> => {
    running += 1;
    most = Math.max(most, running);
    await new Promise<void>((resolve) => waiting.push(resolve));
    running -= 1;
    return result;
  };
  return {
    hasher: { hash: () => work('hash'), verify: () => work(true) },
    release: () => waiting.shift()?.(),
    most: () => most,
  };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the limit on hashing', () => {
  it('computes so many at once, lets so many wait, and turns away the rest with a clear error', async () => {
    const slow = slowHasher();
    const hasher = limitHasher(slow.hasher, { parallel: 2, waiting: 3 });
    const outcomes = Array.from({ length: 8 }, (_, index) => {
      const work: Promise<unknown> = index % 2 === 0 ? hasher.verify('h', 'p') : hasher.hash('p', policy);
      return work.then(
        () => 'done',
        (error: { code: string; kind: string }) => `${error.code} ${error.kind}`,
      );
    });
    for (let count = 0; count < 5; count++) {
      await turn();
      slow.release();
    }
    expect(await Promise.all(outcomes)).toEqual([
      ...Array.from({ length: 5 }, () => 'done'),
      ...Array.from({ length: 3 }, () => 'HASHING_BUSY unavailable'),
    ]);
    expect(slow.most()).toBe(2);
  });

  it('gives its place back when a hash fails', async () => {
    const failing: Hasher = {
      hash: () => Promise.reject(new Error('out of memory')),
      verify: () => Promise.reject(new Error('out of memory')),
    };
    const hasher = limitHasher(failing, { parallel: 1, waiting: 0 });
    for (let count = 0; count < 3; count++) {
      await expect(hasher.hash('p', policy)).rejects.toThrow('out of memory');
      await expect(hasher.verify('h', 'p')).rejects.toThrow('out of memory');
    }
  });
});
