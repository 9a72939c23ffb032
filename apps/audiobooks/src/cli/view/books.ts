import type { Column, Page } from '@holdfast/cli';
import type { BookRow } from '../../model/book-row.ts';

const COLUMNS: readonly Column<BookRow>[] = [
  { heading: 'ID', value: ({ id }) => id },
  { heading: 'TITLE', value: ({ title }) => title, flexible: true },
  { heading: 'AUTHOR', value: ({ author }) => author ?? '', flexible: true },
  {
    heading: 'SERIES',
    value: ({ series, sequence }) => (series === null ? '' : `${series}${sequence === null ? '' : ` #${sequence}`}`),
    flexible: true,
  },
  { heading: 'NARRATOR', value: ({ narrator }) => narrator ?? '', flexible: true },
  { heading: 'LENGTH', value: ({ duration_ms: duration }) => lengthText(duration), align: 'right' },
  { heading: 'FILES', value: ({ segments }) => String(segments), align: 'right' },
];

export function printBooks(page: Page, rows: readonly BookRow[], none: string): void {
  if (rows.length === 0) page.line(none);
  else page.table(rows, COLUMNS);
}

/** `12:34:56`, as players show it. */
export function lengthText(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1_000);
  return `${Math.floor(seconds / 3_600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}
