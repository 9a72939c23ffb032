import { describe, expect, it } from 'vitest';

import { DAY, delay } from './time.ts';

describe('a pause', () => {
  it('ends by itself', async () => {
    await expect(delay(1)).resolves.toBeUndefined();
    await expect(delay(1, new AbortController().signal)).resolves.toBeUndefined();
  });

  it('ends at once when it is no longer wanted, or was not to begin with', async () => {
    const patience = new AbortController();
    const paused = delay(DAY, patience.signal);
    patience.abort();
    await expect(paused).resolves.toBeUndefined();
    await expect(delay(DAY, patience.signal)).resolves.toBeUndefined();
  });
});
