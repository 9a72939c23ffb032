import { expect, it } from 'vitest';

import { filterOf, isDescending, reversed } from './filter.ts';

it('an address means what the library can do, and nothing else', () => {
  expect(filterOf({ q: ' emma ', state: 'finished', sort: 'added', order: '', look: 'list', genre: '' })).toEqual({
    q: 'emma',
    state: 'finished',
    sort: 'added',
  });
  expect(filterOf({ state: 'nonsense', sort: 'size', order: 'yes' })).toEqual({});
  expect([{}, { sort: 'added' }, { sort: 'added', order: 'asc' }].map((each) => isDescending(filterOf(each)))).toEqual([
    false,
    true,
    false,
  ]);
  expect(isDescending(reversed(filterOf({ sort: 'added' })))).toBe(false);
  expect(isDescending(reversed({}))).toBe(true);
});
