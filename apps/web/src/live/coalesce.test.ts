import { describe, expect, it } from 'vitest';

import { coalesce } from './coalesce.ts';

describe('coalesce', () => {
  it('runs once more for all calls during a run, and never twice at once', async () => {
    const finish: (() => void)[] = [];
    const refresh = coalesce(() => new Promise<void>((done) => finish.push(done)));
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
