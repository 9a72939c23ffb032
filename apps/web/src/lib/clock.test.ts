import { expect, test, vi } from 'vitest';

import { clock } from './clock.ts';

test('the clock is right for whoever looks at it first after a while', () => {
  vi.useFakeTimers();
  try {
    const early = clock.get();
    vi.setSystemTime(early + 60_000);
    const stop = clock.subscribe(() => undefined);
    expect(clock.get()).toBe(early + 60_000);
    vi.advanceTimersByTime(10_000);
    expect(clock.get()).toBe(early + 70_000);
    stop();
    vi.advanceTimersByTime(10_000);
    expect(clock.get()).toBe(early + 70_000);
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
