import { expect, it } from 'vitest';

import { moved, targetOf } from './moved.ts';

it('an item is put before the one that will follow it, or at the end', () => {
  const positions = [10, 20, 30];
  expect(targetOf(positions, 0, 1)).toBe(30);
  expect(targetOf(positions, 0, 2)).toBeNull();
  expect(targetOf(positions, 2, 0)).toBe(10);
  expect(targetOf(positions, 1, 1)).toBeUndefined();
  expect(targetOf(positions, 2, 3)).toBeUndefined();
  expect(moved(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a']);
  expect(moved(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b']);
});
