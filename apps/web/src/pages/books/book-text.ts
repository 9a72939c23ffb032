import type { BookRow } from '../../api/types.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** `11 h 5 min` */
export function lengthText(ms: number): string {
  if (ms < MINUTE) return `${Math.round(ms / 1_000)} s`;
  const hours = Math.floor(ms / HOUR);
  const minutes = Math.floor((ms % HOUR) / MINUTE);
  return hours === 0 ? `${minutes} min` : `${hours} h ${minutes} min`;
}

/** Returns a duration as a number and its unit, for headlines: `11` and `hours`. */
export function headlineLength(ms: number): readonly [number: number, unit: string] {
  const [length, unit] =
    ms < MINUTE ? ([1_000, 'second'] as const) : ms < HOUR ? ([MINUTE, 'minute'] as const) : ([HOUR, 'hour'] as const);
  const number = length === 1_000 ? Math.round(ms / length) : Math.floor(ms / length);
  return [number, number === 1 ? unit : `${unit}s`];
}

export function authorsText({ authors }: Pick<BookRow, 'authors'>): string {
  return authors.length === 0 ? 'Unknown author' : authors.map(({ name }) => name).join(', ');
}

export function progressText({ duration_ms: length, progress }: BookRow): string {
  if (progress === null) return lengthText(length);
  if (progress.finished) return 'Finished';
  return `${lengthText(Math.max(0, length - progress.position_ms))} left`;
}
