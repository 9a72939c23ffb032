import { DAY, HOUR, MINUTE } from '@holdfast/base';

/** Calendar days in a listener's IANA time zone, for example `Europe/Berlin`. */

/** Larger than the offset of any time zone from UTC. */
const FURTHEST = 16 * HOUR;
const NAME = /^[A-Za-z][\w+-]*(?:\/[\w+-]+)*$/u;

export function isTimeZone(name: string): boolean {
  if (!NAME.test(name)) return false;
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Returns a function that formats a time as YYYY-MM-DD in the zone. */
export function dateIn(zone: string): (time: number) => string {
  // The Canadian locale formats dates as YYYY-MM-DD.
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  return (time) => format.format(time);
}

const [EARLIEST, LATEST] = [Date.parse('0000-01-01'), Date.parse('9999-12-31')];

export function addDays(date: string, days: number): string {
  const time = Math.min(LATEST, Math.max(EARLIEST, Date.parse(date) + days * DAY));
  return new Date(time).toISOString().slice(0, date.length);
}

export interface LocalDay {
  readonly date: string;
  /** Start of this day and of the next one, in milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the local days that a span covers. Because of daylight saving time, days differ in length and may have no
 * midnight.
 */
export function daysIn(zone: string): (from: number, to: number) => readonly LocalDay[] {
  const shown = dateIn(zone);
  const begins = new Map<string, number>();
  const begin = (date: string): number => {
    const known = begins.get(date) ?? beginOf(date, shown);
    begins.set(date, known);
    return known;
  };
  return (from, to) => {
    const days: LocalDay[] = [];
    for (let date = shown(from); ;) {
      const next = addDays(date, 1);
      const day = { date, from: begin(date), to: begin(next) };
      if (day.to > day.from) days.push(day);
      if (day.to >= to || next === date) return days;
      date = next;
    }
  };
}

/** Returns the start of a date, exact to the minute. If the zone skips the date, returns the start of the next one. */
function beginOf(date: string, shown: (time: number) => string): number {
  let low = Date.parse(date) - FURTHEST;
  let high = Date.parse(date) + FURTHEST;
  while (high - low > MINUTE) {
    const middle = low + Math.floor((high - low) / (2 * MINUTE)) * MINUTE;
    if (shown(middle) >= date) high = middle;
    else low = middle;
  }
  return high;
}
