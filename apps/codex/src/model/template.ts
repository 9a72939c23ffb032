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
}

const DATE = 'YYYY-MM-DD';
const TIME = 'HH:mm';
const VARIABLE = /\{\{\s*(title|author|date|time)\s*(?::([^{}]{1,60}))?\}\}/gu;

/**
 * Expands {{title}}, {{author}}, {{date}} and {{time}}, the last two optionally with a format such as
 * {{date:DD.MM.YYYY}}. Runs no code, expands each value once, and leaves unknown variables as they are.
 */
export function render(template: string, { title, author, at }: TemplateValues): string {
  return template.replaceAll(VARIABLE, (_found, name: string, form: string | undefined) => {
    if (name === 'title') return title;
    if (name === 'author') return author;
    return formatTime(form?.trim() ?? (name === 'date' ? DATE : TIME), at);
  });
}

function formatTime(form: string, { year, month, day, hour, minute, second }: LocalTime): string {
  const parts: Readonly<Record<string, string>> = {
    YYYY: String(year).padStart(4, '0'),
    MM: two(month),
    DD: two(day),
    HH: two(hour),
    mm: two(minute),
    ss: two(second),
  };
  return form.replaceAll(/YYYY|MM|DD|HH|mm|ss/gu, (part) => parts[part] ?? part);
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

/** The given date at the same time of day; undefined if the date does not exist. */
export function onDate(at: LocalTime, date: string): LocalTime | undefined {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d{2})-(\d{2})$/u.exec(date) ?? [];
  const found = { ...at, year: Number(year), month: Number(month), day: Number(day) };
  const check = new Date(Date.UTC(found.year, found.month - 1, found.day));
  const isReal = check.getUTCMonth() === found.month - 1 && check.getUTCDate() === found.day && year !== '';
  return isReal ? found : undefined;
}
