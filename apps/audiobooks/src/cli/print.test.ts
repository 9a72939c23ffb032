import { expect, it } from 'vitest';

import { progressText } from './print.ts';

it('progress is told in parts of the whole, whatever is counted', () => {
  const merged = { current: 60_047, total: 60_108, phase: '' };
  expect(progressText({ status: 'completed', progress: merged })).toBe('100 %');
  expect(progressText({ status: 'running', progress: merged })).toBe('99 %');
  expect(progressText({ status: 'failed', progress: { ...merged, current: 0 } })).toBe('0 %');
  expect(progressText({ status: 'pending', progress: { ...merged, total: 0 } })).toBe('');
});
