import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { missingPositions, parseSeriesPosition, seriesSortKey } from './series-position.ts';

describe('a position in a series', () => {
  it.each([
    ['1', '1', 1, 1],
    ['01', '1', 1, 1],
    ['#7', '7', 7, 7],
    ['0.5', '0.5', 0.5, 0.5],
    ['10.1', '10.1', 10.1, 10.1],
    ['1-3', '1-3', 1, 3],
    ['1 – 3', '1-3', 1, 3],
    ['1a', '1a', 1, 1],
    ['-1', '-1', -1, -1],
  ])('%s is read as %s', (text, canonical, from, to) => {
    expect(parseSeriesPosition(text)).toMatchObject({ text: canonical, from, to });
  });

  it.each(['', 'one', '3-1', '1ab', 'Book 1', '1.2.3', '12345678901'])('%s is none', (text) => {
    expect(parseSeriesPosition(text)).toBeUndefined();
  });

  it('sorts as people count, with unnumbered books last', () => {
    const shuffled = ['10', undefined, '2', '1-3', '0.5', '1a', '1', '10.1', '-1', '1b', '-2', '0'];
    const sorted = [...shuffled].sort((left, right) => (seriesSortKey(left) < seriesSortKey(right) ? -1 : 1));
    expect(sorted).toEqual(['-2', '-1', '0', '0.5', '1', '1-3', '1a', '1b', '2', '10', '10.1', undefined]);
  });

  it('sorts any two numbers by their value', () => {
    const value = fc.integer({ min: -9_999_999, max: 9_999_999 }).map((n) => n / 100);
    fc.assert(
      fc.property(value, value, (left, right) => {
        const order = seriesSortKey(String(left)) < seriesSortKey(String(right));
        expect(order).toBe(left < right);
      }),
    );
  });

  it('says which books are missing', () => {
    expect(missingPositions(['1', '2.5', '4-5', undefined, '8', '2020'])).toEqual([2, 3, 6, 7]);
    expect(missingPositions([])).toEqual([]);
  });
});
