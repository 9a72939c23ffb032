import { describe, expect, it } from 'vitest';

import { compareValues } from './compare-values.ts';

describe('the order of a column', () => {
  it('is that of people: numbers by size, words without regard to case, times as they passed', () => {
    expect([10, 9, 100].sort(compareValues)).toEqual([9, 10, 100]);
    expect(['np-10', 'Zeta', 'ada', 'np-2', 'Ärger'].sort(compareValues)).toEqual([
      'ada',
      'Ärger',
      'np-2',
      'np-10',
      'Zeta',
    ]);
    expect(['2026-01-02T00:00:00.000Z', '2025-12-31T23:59:59.999Z'].sort(compareValues)[0]).toContain('2025');
  });
});
