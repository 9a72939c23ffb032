import { describe, expect, it } from 'vitest';

import { plotData } from './plot-data.ts';

describe('what a plot draws', () => {
  it('is what was measured', () => {
    expect(plotData([60, 120], [1, 2])).toEqual([
      [60, 120],
      [1, 2],
    ]);
    expect(plotData([], [])).toEqual([[], []]);
  });

  it('ends with a single measurement instead of beginning with it', () => {
    expect(plotData([1_000], [7])).toEqual([
      [940, 1_000],
      [null, 7],
    ]);
  });
});
