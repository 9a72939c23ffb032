import { describe, expect, it } from 'vitest';

import { type BatchPolicy, commitAt } from './notebook-lane.ts';

const policy: BatchPolicy = { quietMs: 1_000, maxWaitMs: 5_000, maxCount: 100 };

describe('the moment to commit', () => {
  it('is never when nothing waits', () => {
    expect(commitAt({ count: 0, requested: 0, firstAt: 0, lastAt: 0 }, policy)).toBeUndefined();
  });

  it('comes after quiet, also for the first change after a long idle time', () => {
    expect(commitAt({ count: 1, requested: 1, firstAt: 70_000, lastAt: 70_000 }, policy)).toBe(71_000);
    expect(commitAt({ count: 3, requested: 3, firstAt: 70_000, lastAt: 72_500 }, policy)).toBe(73_500);
  });

  it('comes five seconds after the first change at the latest, however busy it is', () => {
    expect(commitAt({ count: 40, requested: 40, firstAt: 70_000, lastAt: 74_900 }, policy)).toBe(75_000);
  });

  it('is now when a hundred wait', () => {
    expect(commitAt({ count: 100, requested: 100, firstAt: 70_000, lastAt: 70_010 }, policy)).toBeLessThanOrEqual(
      70_010,
    );
    expect(commitAt({ count: 100, requested: 99, firstAt: 70_000, lastAt: 70_010 }, policy)).toBe(71_010);
  });
});
