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

/** `2 minutes ago`, `in 3 days`; a date when that says more. */
export function relativeTime(at: number, now: number): string {
  const distance = at - now;
  const size = Math.abs(distance);
  if (size < JUST_NOW) return 'just now';
  if (size > RELATIVE_UNTIL) return new Date(at).toISOString().slice(0, 10);
  const unit = units.find(({ length }) => size >= length);
  if (unit === undefined) return words.format(Math.round(distance / SECOND), 'second');
  return words.format(Math.round(distance / unit.length), unit.name);
}

export function exactTime(at: number): string {
  return new Date(at).toISOString().replace('T', ' ').replace('Z', ' UTC');
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
  return `${value >= 100 ? Math.round(value) : value.toFixed(1)} ${unit}`;
}

const LONG_PART = 14;

/** `s/01M7…/task/9c1f`: parts that are only ids and hashes are cut, so that what tells keys apart is seen. */
export function shortKey(key: string): string {
  return key.replaceAll(/[^/:]+/g, (part) => (part.length > LONG_PART ? `${part.slice(0, 4)}…` : part));
}

const grouped = new Intl.NumberFormat('en');

export function count(value: number, one?: string, many: string = `${one ?? ''}s`): string {
  const number = grouped.format(value);
  return one === undefined ? number : `${number} ${value === 1 ? one : many}`;
}

export function dollars(value: number): string {
  return `$${value.toFixed(2)}`;
}

/** Of a part of one. */
export function percent(value: number): string {
  return `${Math.round(value * 100)} %`;
}
