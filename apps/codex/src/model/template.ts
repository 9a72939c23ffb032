export interface LocalTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

export interface TemplateValues {
  readonly title: string;
  readonly author: string;
  readonly at: LocalTime;
  /** Formats for `{{date}}` and `{{time}}` if the template gives none. */
  readonly formats?: { readonly date?: string | undefined; readonly time?: string | undefined };
}

const DATE = 'YYYY-MM-DD';
const TIME = 'HH:mm';
const VARIABLE = /\{\{\s*(title|author|date|time)\s*(?::([^{}]{1,60}))?\}\}/gu;

/**
 * Expands {{title}}, {{author}}, {{date}} and {{time}}, the last two optionally with a format such as
 * {{date:DD.MM.YYYY}}. Runs no code, expands each value once, and leaves unknown variables as they are.
 */
export function render(template: string, { title, author, at, formats = {} }: TemplateValues): string {
  return template.replaceAll(VARIABLE, (_found, name: string, form: string | undefined) => {
    if (name === 'title') return title;
    if (name === 'author') return author;
    return formatTime(form?.trim() ?? (name === 'date' ? (formats.date ?? DATE) : (formats.time ?? TIME)), at);
  });
}

/** Date and time formats of moment.js, as in Obsidian, but without time zones. */
const PARTS = /\[([^\]]*)\]|YYYY|YY|MMMM|MMM|MM|M|DD|Do|D|dddd|ddd|HH|H|mm|ss/gu;

function formatTime(form: string, { year, month, day, hour, minute, second }: LocalTime): string {
  const date = new Date(Date.UTC(year, month - 1, day));
  const name = (options: Intl.DateTimeFormatOptions): string =>
    date.toLocaleDateString('en', { ...options, timeZone: 'UTC' });
  const parts: Readonly<Record<string, () => string>> = {
    YYYY: () => String(year).padStart(4, '0'),
    YY: () => two(year % 100),
    MMMM: () => name({ month: 'long' }),
    MMM: () => name({ month: 'short' }),
    MM: () => two(month),
    M: () => String(month),
    DD: () => two(day),
    Do: () => ordinal(day),
    D: () => String(day),
    dddd: () => name({ weekday: 'long' }),
    ddd: () => name({ weekday: 'short' }),
    HH: () => two(hour),
    H: () => String(hour),
    mm: () => two(minute),
    ss: () => two(second),
  };
  return form.replaceAll(PARTS, (part, literal: string | undefined) => literal ?? parts[part]?.() ?? part);
}

function ordinal(value: number): string {
  const ending = value > 10 && value < 14 ? undefined : { 1: 'st', 2: 'nd', 3: 'rd' }[value % 10];
  return `${value}${ending ?? 'th'}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

/** Returns the given date at the time of day of `at`; undefined if the date does not exist. */
export function onDate(at: LocalTime, date: string): LocalTime | undefined {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d{2})-(\d{2})$/u.exec(date) ?? [];
  const found = { ...at, year: Number(year), month: Number(month), day: Number(day) };
  const check = new Date(Date.UTC(found.year, found.month - 1, found.day));
  const isReal = check.getUTCMonth() === found.month - 1 && check.getUTCDate() === found.day && year !== '';
  return isReal ? found : undefined;
}
