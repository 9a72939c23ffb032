import { MINUTE, SECOND } from '@holdfast/base';
import { describe, expect, it } from 'vitest';

import { figuresOf, Ring, stepMs } from './figures.ts';

const NOON = Date.UTC(2026, 0, 1, 12);

describe('figures for plots', () => {
  it('are columns of one length, with the worst of each step and nothing where nobody looked', () => {
    const sample = (at: number, pending: number): Parameters<typeof figuresOf>[0]['samples'][number] => ({
      at,
      pending,
      oldestPendingSeconds: pending / 2,
      gitLagSeconds: 0,
    });
    const samples = [sample(NOON - 25 * SECOND, 8), sample(NOON - 21 * SECOND, 2), sample(NOON + SECOND, 1)];
    const figures = figuresOf({ now: NOON + 3 * SECOND, minutes: 1, samples, doneByStep: new Map([[NOON, 4]]) });
    expect(figures.at).toHaveLength(6);
    expect(figures.at.at(-1)).toBe('2026-01-01T12:00:00.000Z');
    expect(figures.pending).toEqual([null, null, 8, null, null, 1]);
    expect(figures.oldest_pending_seconds).toEqual([null, null, 4, null, null, 0.5]);
    expect(figures.throughput_per_minute).toEqual([0, 0, 0, 0, 0, 24]);
  });

  it('have few enough points for any time', () => {
    for (const minutes of [1, 7, 60, 1_440]) expect((minutes * MINUTE) / stepMs(minutes)).toBeLessThanOrEqual(120);
  });

  it('are kept in a ring of which the oldest goes first', () => {
    const ring = new Ring<number>(3);
    expect(ring.all()).toEqual([]);
    for (const item of [1, 2, 3, 4, 5]) ring.add(item);
    expect(ring.all()).toEqual([3, 4, 5]);
  });
});
