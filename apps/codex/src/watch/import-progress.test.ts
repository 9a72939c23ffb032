import { expect, it } from 'vitest';

import { ImportProgress } from './import-progress.ts';

it('estimates the remaining time from the files that were read so far', () => {
  const progress = new ImportProgress();
  progress.start(1_000, 0);
  expect(progress.at(1_000, 500)).toEqual({ total: 1_000, done: 0, remaining_seconds: null });
  expect(progress.at(750, 10_000)).toEqual({ total: 1_000, done: 250, remaining_seconds: 30 });
  expect(progress.at(1_200, 11_000)).toEqual({ total: 1_200, done: 0, remaining_seconds: null });
  expect(progress.at(0, 20_000)).toBeNull();
  expect(progress.at(5, 21_000)).toBeNull();
});

it('does not call a few changed files an import', () => {
  const progress = new ImportProgress();
  progress.start(20, 0);
  expect(progress.at(20, 1)).toBeNull();
});
