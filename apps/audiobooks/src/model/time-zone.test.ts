import { HOUR } from '@holdfast/base';
import { describe, expect, it } from 'vitest';
import { addDays, dateIn, daysIn, isTimeZone } from './time-zone.ts';

const at = (text: string): number => Date.parse(text);
const hours = (zone: string, from: string, to: string): readonly string[] =>
  daysIn(zone)(at(from), at(to)).map((day) => `${day.date} ${(day.to - day.from) / HOUR} h`);

describe('a day', () => {
  it('is that of the clock on the wall, also far from Greenwich', () => {
    expect(dateIn('Pacific/Kiritimati')(at('2026-06-01T10:00Z'))).toBe('2026-06-02');
    expect(dateIn('America/Los_Angeles')(at('2026-06-01T06:59Z'))).toBe('2026-05-31');
    expect(daysIn('Asia/Kathmandu')(at('2026-06-01T18:00Z'), at('2026-06-01T18:30Z'))).toEqual([
      { date: '2026-06-01', from: at('2026-05-31T18:15Z'), to: at('2026-06-01T18:15Z') },
      { date: '2026-06-02', from: at('2026-06-01T18:15Z'), to: at('2026-06-02T18:15Z') },
    ]);
  });

  it('is longer or shorter when clocks are changed, begins at one where there is no midnight, or is left out', () => {
    expect(hours('Europe/Berlin', '2026-03-28T12:00Z', '2026-03-29T12:00Z')).toEqual([
      '2026-03-28 24 h',
      '2026-03-29 23 h',
    ]);
    expect(hours('Europe/Berlin', '2026-10-25T12:00Z', '2026-10-25T12:01Z')).toEqual(['2026-10-25 25 h']);
    expect(daysIn('Africa/Cairo')(at('2024-04-26T12:00Z'), at('2024-04-26T12:01Z'))).toEqual([
      { date: '2024-04-26', from: at('2024-04-26T01:00+03:00'), to: at('2024-04-27T00:00+03:00') },
    ]);
    expect(hours('Pacific/Apia', '2011-12-30T00:00Z', '2011-12-31T00:00Z')).toEqual([
      '2011-12-29 24 h',
      '2011-12-31 24 h',
    ]);
  });

  it('is named by zones that exist, and counted over the ends of months and years', () => {
    const given = ['UTC', 'Europe/Berlin', 'Etc/GMT+5', 'Mars/Olympus', '', '+02:00', 'x y'];
    expect(given.map(isTimeZone)).toEqual([true, true, true, false, false, false, false]);
    expect([addDays('2028-02-28', 1), addDays('2026-01-01', -1)]).toEqual(['2028-02-29', '2025-12-31']);
    expect([addDays('9999-12-31', 2), addDays('0000-01-01', -1)]).toEqual(['9999-12-31', '0000-01-01']);
  });
});
