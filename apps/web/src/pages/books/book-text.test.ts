import { expect, it } from 'vitest';

import { clockTime } from '../../lib/format.ts';
import { lengthText } from './book-text.ts';

it('lengths and places are said as people say them', () => {
  expect([900, 59_000, 60_000, 3_600_000, 40_500_000].map(lengthText)).toEqual([
    '1 s',
    '59 s',
    '1 min',
    '1 h 0 min',
    '11 h 15 min',
  ]);
  expect([0, 61_500, 3_723_000].map(clockTime)).toEqual(['0:00', '1:01', '1:02:03']);
});
