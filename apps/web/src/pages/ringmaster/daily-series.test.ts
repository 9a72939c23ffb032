import { expect, it } from 'vitest';

import { everyDay } from './daily-series.ts';

it('a plot has every day, also those on which nothing ended', () => {
  const figures = { other: 0, average_seconds: null };
  const series = everyDay([
    { day: '2026-02-27', succeeded: 3, failed: 1, cost_usd: 0.5, ...figures },
    { day: '2026-03-02', succeeded: 2, failed: 0, cost_usd: null, ...figures },
  ]);
  expect(series.times).toHaveLength(14);
  expect(series.times.at(-1)).toBe(Date.parse('2026-03-02') / 1_000);
  expect(series.done.slice(-4)).toEqual([3, 0, 0, 2]);
  expect(series.success.slice(-4)).toEqual([0.75, 0, 0, 1]);
  expect(series.cost.slice(-4)).toEqual([0.5, 0, 0, 0]);
});
