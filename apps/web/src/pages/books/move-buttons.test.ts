import { expect, it } from 'vitest';

import { moved } from './move-buttons.tsx';

it('moves an item up, down and to the end', () => {
  const items = ['a', 'b', 'c'];
  expect(moved(items, 0, 1)).toEqual(['b', 'a', 'c']);
  expect(moved(items, 0, 2)).toEqual(['b', 'c', 'a']);
  expect(moved(items, 2, 0)).toEqual(['c', 'a', 'b']);
  expect(moved(items, 1, 1)).toEqual(items);
});
