import { describe, expect, it } from 'vitest';

import { refresher } from './refresher.ts';

describe('reading again', () => {
  it('happens once more for all that was asked meanwhile, and never twice at once', async () => {
    const finish: (() => void)[] = [];
    const refresh = refresher(() => new Promise<void>((done) => finish.push(done)));
    refresh();
    refresh();
    refresh();
    expect(finish).toHaveLength(1);
    finish[0]?.();
    await new Promise((done) => setTimeout(done));
    expect(finish).toHaveLength(2);
    finish[1]?.();
    await new Promise((done) => setTimeout(done));
    expect(finish).toHaveLength(2);
    refresh();
    expect(finish).toHaveLength(3);
  });
});
