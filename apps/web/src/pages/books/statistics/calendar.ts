import type { ListeningDay } from '../../../api/types.ts';

/** Days are ISO dates or midnight in UTC, so that all days have the same length in any time zone. */

const DAY = 86_400_000;

function dateOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

export function today(now: number, timeZone?: string): string {
  // The Swedish locale formats dates as YYYY-MM-DD.
  return new Intl.DateTimeFormat('sv-SE', {
    dateStyle: 'short',
    ...(timeZone === undefined ? {} : { timeZone }),
  }).format(now);
}

export function timeOf(date: string): number {
  return Date.parse(`${date}T00:00:00.000Z`);
}

export function daysBefore(date: string, days: number): string {
  return dateOf(timeOf(date) - days * DAY);
}

export type CalendarDay = Pick<ListeningDay, 'date' | 'seconds'>;

export function everyDay(days: readonly ListeningDay[], from: string, to: string): readonly CalendarDay[] {
  const known = new Map(days.map(({ date, seconds }) => [date, seconds]));
  const all: CalendarDay[] = [];
  for (let time = timeOf(from); time <= timeOf(to); time += DAY) {
    all.push({ date: dateOf(time), seconds: known.get(dateOf(time)) ?? 0 });
  }
  return all;
}

export interface CalendarCell extends CalendarDay {
  readonly week: number;
  readonly weekday: number;
}

/** Returns days as calendar cells, one column per week. */
export function calendarCells(days: readonly CalendarDay[]): readonly CalendarCell[] {
  const first = days[0] === undefined ? 0 : weekdayOf(days[0].date);
  return days.map((day, at) => ({ ...day, week: Math.floor((at + first) / 7), weekday: weekdayOf(day.date) }));
}

function weekdayOf(date: string): number {
  return (new Date(timeOf(date)).getUTCDay() + 6) % 7;
}

/** Returns the longest and the current streak in days. A streak that ended yesterday is still current. */
export function streaks(days: readonly CalendarDay[]): { readonly longest: number; readonly current: number } {
  let longest = 0;
  let run = 0;
  for (const { seconds } of days) {
    run = seconds > 0 ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  const untilYesterday = days.at(-1)?.seconds === 0 ? days.slice(0, -1) : days;
  const last = untilYesterday.findLastIndex(({ seconds }) => seconds === 0);
  return { longest, current: untilYesterday.length - 1 - last };
}

/** Returns a level from 0 (nothing) to 4 (most). */
export function levelOf(seconds: number, most: number): number {
  return seconds <= 0 || most <= 0 ? 0 : Math.min(4, Math.max(1, Math.ceil((seconds / most) * 4)));
}
