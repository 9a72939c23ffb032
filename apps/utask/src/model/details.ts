import { utaskErrors } from './errors.ts';

/**
 * Optional fields of a stored task. Other clients may use the same names with other types, so a value of another type
 * is kept but not shown. The original program also writes `priority`: a number, with 1 as the highest.
 */
export interface TaskDetails {
  /** A day in local time, `2026-11-20`, or a time in RFC 3339. */
  readonly due?: string | undefined;
  readonly priority?: number | undefined;
  readonly project?: string | undefined;
  readonly notes?: readonly string[] | undefined;
}

export function detailsOf(task: object): TaskDetails {
  const { due, priority, project, notes } = task as Readonly<Record<string, unknown>>;
  return {
    due: typeof due === 'string' && !Number.isNaN(Date.parse(due)) ? due : undefined,
    priority: Number.isSafeInteger(priority) && (priority as number) > 0 ? (priority as number) : undefined,
    project: typeof project === 'string' ? project : undefined,
    notes: Array.isArray(notes) ? notes.filter((note) => typeof note === 'string') : undefined,
  };
}

export interface DetailChange {
  /** `none` removes the due date. */
  readonly due?: string | undefined;
  /** 0 removes the priority. */
  readonly priority?: number | undefined;
}

/** Sets or removes due date and priority. Omitted fields stay unchanged. */
export function withDetails<T extends Readonly<Record<string, unknown>>>(
  task: T,
  { due, priority }: DetailChange,
  now: number,
): T {
  const changed: Record<string, unknown> = { ...task };
  if (due !== undefined) changed['due'] = parseDue(due, now);
  if (priority !== undefined) changed['priority'] = priority === 0 ? undefined : priority;
  return changed as T;
}

export const PRIORITY_LETTERS = ['h', 'm', 'l'] as const;

/** `h`, `m` and `l` are 1, 2 and 3, as in Taskwarrior; other numbers come from todo.txt and other clients. */
export function shownPriority(priority: number): string {
  return PRIORITY_LETTERS[priority - 1] ?? String(priority);
}

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/u;

/** Reads `friday`, `tomorrow`, `3d`, `2w`, `2026-11-20` or a time. Returns undefined for `none`. */
export function parseDue(typed: string, now: number): string | undefined {
  const word = typed.trim().toLowerCase();
  if (word === 'none') return undefined;
  const days = daysAhead(word, now);
  if (days !== undefined) return localDay(now, days);
  if (RFC_3339.test(word.toUpperCase()) && !Number.isNaN(Date.parse(word))) return new Date(word).toISOString();
  if (/^\d{4}-\d\d-\d\d$/u.test(word) && localDay(midnight(word)) === word) return word;
  throw utaskErrors.BAD_DUE(`"${typed}" is not a due date.`);
}

function daysAhead(word: string, now: number): number | undefined {
  if (word === 'today') return 0;
  if (word === 'tomorrow') return 1;
  const [, count, unit] = /^\+?(\d{1,4})([dw])$/u.exec(word) ?? [];
  if (count !== undefined) return Number(count) * (unit === 'w' ? 7 : 1);
  const weekday = word.length < 3 ? -1 : WEEKDAYS.findIndex((name) => name.startsWith(word));
  // Days until the next such weekday: 1 is tomorrow, and 7 is today's weekday in the next week.
  return weekday < 0 ? undefined : ((weekday - new Date(now).getDay() + 6) % 7) + 1;
}

/** Returns the local day of a due date. With `withTime`, adds the time of day if there is one: `2026-11-20 15:00`. */
export function dueDay(due: string, { withTime = false } = {}): string {
  if (due.length === DAY_LENGTH) return due;
  const at = new Date(due);
  const time = `${two(at.getHours())}:${two(at.getMinutes())}`;
  const day = localDay(at.getTime());
  return withTime && time !== '00:00' ? `${day} ${time}` : day;
}

/** Returns the time of a due date in milliseconds since 1970; for a day, its local midnight. */
export function dueInstant(due: string): number {
  return due.length === DAY_LENGTH ? midnight(due) : Date.parse(due);
}

const DAY_LENGTH = '2026-11-20'.length;

function midnight(day: string): number {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  return new Date(year, month - 1, date).getTime();
}

/** Returns the local date `days` later, even if a day has 23 or 25 hours. */
export function localDay(now: number, days = 0): string {
  const at = new Date(now);
  at.setDate(at.getDate() + days);
  return `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}
