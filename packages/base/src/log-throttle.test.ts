import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { LogThrottle } from './log-throttle.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('the same message passes once a minute, other messages pass meanwhile', () => {
  const throttle = new LogThrottle();
  expect([throttle.allows('a'), throttle.allows('a'), throttle.allows('b')]).toEqual([true, false, true]);
  vi.advanceTimersByTime(59_999);
  expect(throttle.allows('a')).toBe(false);
  vi.advanceTimersByTime(1);
  expect([throttle.allows('a'), throttle.allows('a')]).toEqual([true, false]);
});

test('messages that never repeat do not fill the memory', () => {
  const throttle = new LogThrottle();
  throttle.allows('first');
  for (let n = 0; n < 1_000; n++) throttle.allows(`message ${n}`);
  expect(throttle.allows('first')).toBe(true);
});
