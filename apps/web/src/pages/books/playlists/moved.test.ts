import { expect, it } from 'vitest';

import { moved, targetOf } from './moved.ts';

it('an item is put before the one that will follow it, or at the end', () => {
  const ids = ['a', 'b', 'c'];
  expect(targetOf(ids, 0, 1)).toBe('c');
  expect(targetOf(ids, 0, 2)).toBeNull();
  expect(targetOf(ids, 2, 0)).toBe('a');
  expect(targetOf(ids, 1, 1)).toBeUndefined();
  expect(targetOf(ids, 2, 3)).toBeUndefined();
  expect(moved(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a']);
  expect(moved(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b']);
});
