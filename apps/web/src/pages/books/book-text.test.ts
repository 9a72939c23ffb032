import { expect, it } from 'vitest';

import { clockTime } from '../../lib/format.ts';
import { headlineLength, lengthText } from './book-text.ts';

it('lengths and places are said as people say them', () => {
  expect([900, 59_000, 60_000, 3_600_000, 40_500_000].map(lengthText)).toEqual([
    '1 s',
    '59 s',
    '1 min',
    '1 h 0 min',
    '11 h 15 min',
  ]);
  // A headline never shows more than the exact duration.
  expect([900, 59_000, 119_000, 3_600_000, 40_500_000].map((ms) => headlineLength(ms).join(' '))).toEqual([
    '1 second',
    '59 seconds',
    '1 minute',
    '1 hour',
    '11 hours',
  ]);
  expect([0, 61_500, 3_723_000].map(clockTime)).toEqual(['0:00', '1:01', '1:02:03']);
});
