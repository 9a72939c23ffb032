import { MINUTE, SECOND } from '@holdfast/base';
import { describe, expect, it } from 'vitest';

import { queueHistoryOf, stepMs } from './queue-history.ts';

const NOON = Date.UTC(2026, 0, 1, 12);

describe('figures for plots', () => {
  it('are columns of one length, with the worst of each step and nothing where nobody looked', () => {
    const sample = (at: number, pending: number): Parameters<typeof queueHistoryOf>[0]['samples'][number] => ({
      at,
      pending,
      oldestPendingSeconds: pending / 2,
      gitLagSeconds: 0,
    });
    const samples = [sample(NOON - 25 * SECOND, 8), sample(NOON - 21 * SECOND, 2), sample(NOON + SECOND, 1)];
    const history = queueHistoryOf({ now: NOON + 3 * SECOND, minutes: 1, samples, doneByStep: new Map([[NOON, 4]]) });
    expect(history.at).toHaveLength(6);
    expect(history.at.at(-1)).toBe('2026-01-01T12:00:00.000Z');
    expect(history.pending).toEqual([null, null, 8, null, null, 1]);
    expect(history.oldest_pending_seconds).toEqual([null, null, 4, null, null, 0.5]);
    expect(history.throughput_per_minute).toEqual([0, 0, 0, 0, 0, 24]);
  });

  it('have few enough points for any time', () => {
    for (const minutes of [1, 7, 60, 1_440]) expect((minutes * MINUTE) / stepMs(minutes)).toBeLessThanOrEqual(120);
  });
});
