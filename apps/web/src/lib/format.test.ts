import { describe, expect, it } from 'vitest';

import { byteSize, count, dateAndTime, dayText, duration, exactTime, relativeTime, shortKey } from './format.ts';

const MINUTE = 60_000;
/** 15 November 2026 in the order of any locale. */
const DATE = /15.*2026/u;

describe('words for people', () => {
  it('times', () => {
    expect(relativeTime(0, 3_000)).toBe('just now');
    expect(relativeTime(0, 30_000)).toBe('30 sec. ago');
    expect(relativeTime(0, 5 * MINUTE)).toBe('5 min. ago');
    expect(relativeTime(48 * 60 * MINUTE, 0)).toBe('in 2 days');
    const noon = new Date(2026, 10, 15, 12, 4, 5).getTime();
    expect(relativeTime(noon, noon + 400 * 24 * 60 * MINUTE)).toMatch(DATE);
    expect(exactTime(noon)).toMatch(/12:04:05/u);
    expect(dateAndTime(noon)).toMatch(DATE);
    expect(dateAndTime(noon)).toMatch(/12:04/u);
    expect(dayText(Date.UTC(2026, 10, 15))).toMatch(DATE);
    expect(dayText(Date.UTC(2026, 10, 15), true)).not.toContain('2026');
    expect(duration(93_784)).toBe('1 d 2 h');
  });

  it('sizes, numbers, keys', () => {
    expect([999, 4_096, 169_000, 12_345_678].map(byteSize)).toEqual(['999 B', '4.1 kB', '169 kB', '12.3 MB']);
    expect([count(1, 'change'), count(12_345, 'change')]).toEqual(['1 change', `${(12_345).toLocaleString()} changes`]);
    expect(shortKey('s/01M7FC9GXPZ5G27VEHJ9EHSPJ1/task/9c1f')).toBe('s/01M7…/task/9c1f');
  });
});
