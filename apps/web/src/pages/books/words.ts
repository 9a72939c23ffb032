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

/** `1:02:03` */
export function placeText(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60)];
  return hours === 0 ? `${minutes}:${two(seconds % 60)}` : `${hours}:${two(minutes)}:${two(seconds % 60)}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

export function authorsText({ authors }: Pick<BookRow, 'authors'>): string {
  return authors.length === 0 ? 'Unknown author' : authors.map(({ name }) => name).join(', ');
}

export function progressText({ duration_ms: length, progress }: BookRow): string {
  if (progress === null) return lengthText(length);
  if (progress.finished) return 'Finished';
  return `${lengthText(Math.max(0, length - progress.position_ms))} left`;
}
