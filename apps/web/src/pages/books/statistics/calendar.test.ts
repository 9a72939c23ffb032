import { describe, expect, it } from 'vitest';

import { calendarCells, daysBefore, everyDay, levelOf, streaks, today } from './calendar.ts';

const listened = (date: string, seconds: number) => ({ date, seconds, finished: [] });

describe('a calendar of listening', () => {
  it('has every day, in columns that begin with Monday, over the end of a month and of a leap day', () => {
    const days = everyDay([listened('2028-02-29', 60)], '2028-02-27', '2028-03-01');
    expect(days.map(({ date, seconds }) => `${date} ${seconds}`)).toEqual([
      '2028-02-27 0',
      '2028-02-28 0',
      '2028-02-29 60',
      '2028-03-01 0',
    ]);
    // The 27th is a Sunday.
    expect(calendarCells(days).map(({ week, weekday }) => [week, weekday])).toEqual([
      [0, 6],
      [1, 0],
      [1, 1],
      [1, 2],
    ]);
    expect(daysBefore('2028-03-01', 1)).toBe('2028-02-29');
    expect(today(Date.UTC(2028, 1, 29, 23), 'Europe/Berlin')).toBe('2028-03-01');
  });

  it('knows days in a row; today is not over yet', () => {
    const days = (...seconds: readonly number[]) => seconds.map((each) => ({ date: '', seconds: each }));
    expect(streaks(days(1, 1, 1, 0, 1, 1))).toEqual({ longest: 3, current: 2 });
    expect(streaks(days(1, 1, 0))).toEqual({ longest: 2, current: 2 });
    expect(streaks(days(1, 0, 0))).toEqual({ longest: 1, current: 0 });
    expect(streaks([])).toEqual({ longest: 0, current: 0 });
  });

  it('grows darker with the time', () => {
    expect([0, 1, 50, 51, 100].map((seconds) => levelOf(seconds, 100))).toEqual([0, 1, 2, 3, 4]);
    expect(levelOf(0, 0)).toBe(0);
  });
});
