import { HOUR, MINUTE, SECOND } from '@holdfast/base';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { countFailure, countSuccess, isKnownPlace, pauseAfter, remainingPause, type Throttle } from './throttle.ts';

const start = Date.UTC(2026, 0, 19);

function failTimes(times: number, now: number): Throttle {
  let throttle: Throttle | undefined;
  for (let count = 0; count < times; count++) throttle = countFailure('pair', 'x', throttle, now);
  return throttle!;
}

describe('the pause after failures', () => {
  it('doubles after the free ones, up to a quarter of an hour', () => {
    const pauses = [5, 6, 7, 8, 15, 16, 1_000].map((failures) => pauseAfter('pair', failures) / SECOND);
    expect(pauses).toEqual([0, 1, 2, 4, 512, 900, 900]);
    expect(pauseAfter('source', 20)).toBe(0);
    expect(pauseAfter('source', 21)).toBe(SECOND);
  });

  it('never locks anybody out for good, whatever happened and whatever the clock does', () => {
    const step = fc.record({ failures: fc.nat(30), jumpMs: fc.integer({ min: -48 * HOUR, max: 48 * HOUR }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 6 }), (steps) => {
        let now = start;
        let throttle: Throttle | undefined;
        for (const { failures, jumpMs } of steps) {
          for (let count = 0; count < failures; count++) throttle = countFailure('pair', 'x', throttle, now);
          now += jumpMs;
        }
        const pause = remainingPause(throttle, now);
        expect(pause).toBeLessThanOrEqual(17 * MINUTE);
        expect(remainingPause(throttle, now + pause)).toBe(0);
      }),
    );
  });

  it('counts from the last failure, and is zero without a failure', () => {
    expect(remainingPause(failTimes(7, start), start + 500)).toBe(2 * SECOND - 500);
    expect(remainingPause(failTimes(7, start), start + 2 * SECOND)).toBe(0);
    expect(remainingPause(countSuccess('pair', 'x', start), start)).toBe(0);
    expect(remainingPause(undefined, start)).toBe(0);
  });

  it('is forgotten after an hour of peace', () => {
    const throttle = failTimes(9, start);
    expect(countFailure('pair', 'x', throttle, start + HOUR - 1).failures).toBe(10);
    expect(countFailure('pair', 'x', throttle, start + HOUR).failures).toBe(1);
  });

  it('a place is known for thirty days after the right password', () => {
    const throttle = countFailure('pair', 'x', countSuccess('pair', 'x', start), start);
    expect(isKnownPlace(throttle, start + 29 * 24 * HOUR)).toBe(true);
    expect(isKnownPlace(throttle, start + 30 * 24 * HOUR)).toBe(false);
    expect(isKnownPlace(failTimes(1, start), start)).toBe(false);
  });
});
