const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const units = [
  { name: 'day', length: DAY },
  { name: 'hour', length: HOUR },
  { name: 'minute', length: MINUTE },
] as const;

const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
const JUST_NOW = 10 * SECOND;
const RELATIVE_UNTIL = 30 * DAY;

const dates = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const exactTimes = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' });
const datesAndTimes = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const days = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
const shortDays = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** `2 min. ago`, `in 3 days`; a date if it is more than 30 days away. */
export function relativeTime(at: number, now: number): string {
  const distance = at - now;
  const size = Math.abs(distance);
  if (size < JUST_NOW) return 'just now';
  if (size > RELATIVE_UNTIL) return dates.format(at);
  const unit = units.find(({ length }) => size >= length);
  if (unit === undefined) return words.format(Math.round(distance / SECOND), 'second');
  return words.format(Math.round(distance / unit.length), unit.name);
}

export function exactTime(at: number): string {
  return exactTimes.format(at);
}

/** `15 Nov 2026, 14:04` */
export function dateAndTime(at: number): string {
  return datesAndTimes.format(at);
}

/** `15 Nov 2026` or `15 Nov`. `at` is midnight of the day in UTC. */
export function dayText(at: number, isShort = false): string {
  return (isShort ? shortDays : days).format(at);
}

export function duration(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`;
  return `${Math.floor(seconds / 86_400)} d ${Math.floor((seconds % 86_400) / 3_600)} h`;
}

const sizes = ['kB', 'MB', 'GB', 'TB'] as const;

export function byteSize(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  let value = bytes;
  let unit: string = 'B';
  for (const name of sizes) {
    if (value < 1_000) break;
    value /= 1_000;
    unit = name;
  }
  return `${decimal(value, value >= 100 ? 0 : 1)} ${unit}`;
}

const LONG_PART = 14;

/** `s/01M7…/task/9c1f`: shortens ids and hashes, so that the parts that differ between keys stay visible. */
export function shortKey(key: string): string {
  return key.replaceAll(/[^/:]+/g, (part) => (part.length > LONG_PART ? `${part.slice(0, 4)}…` : part));
}

const grouped = new Intl.NumberFormat();

export function count(value: number, one?: string, many: string = `${one ?? ''}s`): string {
  const number = grouped.format(value);
  return one === undefined ? number : `${number} ${value === 1 ? one : many}`;
}

/** `1.5`, or `1,5` where the browser's locale has a decimal comma. */
export function decimal(value: number, digits: number): string {
  return value.toLocaleString(undefined, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

export function dollars(value: number): string {
  return `$${decimal(value, 2)}`;
}

/** `value` is a fraction from 0 to 1. */
export function percent(value: number): string {
  return `${Math.round(value * 100)} %`;
}

/** `1:23:45`, or `3:07` */
export function clockTime(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, '0'));
  const hours = Math.floor(seconds / 3_600);
  return hours === 0 ? parts.join(':').replace(/^0/, '') : [hours, ...parts].join(':');
}
