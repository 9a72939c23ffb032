/** The chapters as the editor shows them: each start is the text that the user typed. */
export interface ChapterRow {
  /** Identifies the row while it moves. */
  readonly key: number;
  readonly start: string;
  readonly title: string;
}

export interface ChapterMark {
  readonly title: string;
  readonly start_ms: number;
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** Formats as `1:02:03.456`; leaves out a zero hour and zero milliseconds. */
export function startText(ms: number): string {
  const [whole, rest] = [Math.floor(ms / 1_000), ms % 1_000];
  const minutes = Math.floor(whole / 60) % 60;
  const hours = Math.floor(whole / 3_600);
  const shown = hours === 0 ? `${minutes}` : `${hours}:${twoDigits(minutes)}`;
  return `${shown}:${twoDigits(whole % 60)}${rest === 0 ? '' : `.${String(rest).padStart(3, '0')}`}`;
}

/** Reads `1:02:03.5`, `62:03` or `90`. Returns undefined for other text. */
export function readStart(text: string): number | undefined {
  const match = /^\s*(?:(?:(\d{1,3}):)?(\d{1,4}):)?(\d{1,6}(?:[.,]\d{1,3})?)\s*$/u.exec(text);
  if (match === null) return undefined;
  const [hours, minutes] = [match[1], match[2]].map((part) => Number(part ?? 0));
  const seconds = Number(match[3]?.replace(',', '.'));
  return Math.round(((hours ?? 0) * 3_600 + (minutes ?? 0) * 60 + seconds) * 1_000);
}

export interface CheckedRows {
  readonly marks: readonly ChapterMark[];
  /** Problems, by the key of the row. */
  readonly problems: ReadonlyMap<number, string>;
}

/** Sorts the rows by start and checks them against the server's rules. */
export function checkRows(rows: readonly ChapterRow[], durationMs: number): CheckedRows {
  const problems = new Map<number, string>();
  const read = rows.map(({ key, start, title }) => ({ key, title, start_ms: readStart(start) }));
  for (const { key, start_ms: ms } of read) {
    if (ms === undefined) problems.set(key, 'Enter a time such as 1:02:30');
    else if (ms >= durationMs) problems.set(key, 'After the end of the book');
  }
  const sorted = read.flatMap(({ start_ms: ms, ...row }) => (ms === undefined ? [] : [{ ...row, start_ms: ms }]));
  sorted.sort((left, right) => left.start_ms - right.start_ms);
  for (const [index, { key, start_ms: ms }] of sorted.entries()) {
    if (index === 0 && ms !== 0) problems.set(key, 'The first chapter starts at 0:00');
    if (index > 0 && sorted[index - 1]?.start_ms === ms) problems.set(key, 'Two chapters start here');
  }
  return { marks: sorted.map(({ title, start_ms: ms }) => ({ title: title.trim(), start_ms: ms })), problems };
}
