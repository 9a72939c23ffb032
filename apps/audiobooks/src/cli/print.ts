import { type Column, type Page, style, type Text } from '@holdfast/cli';
import type { BookRow, OperationView } from '../operations/fields.ts';

const bookColumns: readonly Column<BookRow>[] = [
  { heading: 'ID', value: ({ id }) => id },
  { heading: 'TITLE', value: ({ title }) => title, flexible: true },
  { heading: 'AUTHOR', value: ({ authors }) => authors.map(({ name }) => name).join(', '), flexible: true },
  { heading: 'SERIES', value: seriesText, flexible: true },
  { heading: 'NARRATOR', value: ({ narrators }) => narrators.join(', '), flexible: true },
  { heading: 'LENGTH', value: ({ duration_ms: duration }) => lengthText(duration), align: 'right' },
  { heading: 'FILES', value: ({ files }) => String(files), align: 'right' },
];

export function printBooks(page: Page, rows: readonly BookRow[], none: string): void {
  if (rows.length === 0) page.line(none);
  else page.table(rows, bookColumns);
}

export function seriesText({ series: [first] }: Pick<BookRow, 'series'>): string {
  if (first === undefined) return '';
  return first.sequence === null ? first.name : `${first.name} #${first.sequence}`;
}

/** Formats as `12:34:56`. */
export function lengthText(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1_000);
  return `${Math.floor(seconds / 3_600)}:${twoDigits(Math.floor(seconds / 60) % 60)}:${twoDigits(seconds % 60)}`;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}

export function timeText(time: string | null): string {
  return time?.slice(0, 'YYYY-MM-DDTHH:MM:SS'.length).replace('T', ' ') ?? '';
}

const operationColumns: readonly Column<OperationView>[] = [
  { heading: 'ID', value: ({ id }) => id },
  { heading: 'TYPE', value: ({ type }) => type },
  { heading: 'STATUS', value: statusText },
  { heading: 'STARTED', value: ({ created_at: at }) => timeText(at) },
  { heading: 'PROGRESS', value: progressText, align: 'right' },
  { heading: 'UNDO', value: ({ can_undo: can, undone_by: by }) => (by === null ? (can ? 'possible' : '') : 'undone') },
  { heading: 'ERROR', value: ({ error }) => error ?? '', flexible: true },
];

export function printOperations(page: Page, operations: readonly OperationView[]): void {
  if (operations.length === 0) page.line('No operations yet.');
  else page.table(operations, operationColumns);
}

/** Prints the result of an operation and how to undo it. */
export function printResult(operation: OperationView, page: Page): void {
  const { id, type, summary, can_undo: canUndo } = operation;
  page.line(style.green('✓'), ` ${type} ${id}`, summary === null ? '' : `: ${summary}`);
  if (summary?.includes('in the log') === true) page.line(`Log: holdfast audiobooks operations log ${id}`);
  if (canUndo) page.line(`Undo: holdfast audiobooks undo ${id}`);
}

/** Shows a percentage, because the unit differs: some operations count files, others milliseconds. */
export function progressText({
  status,
  progress: { current, total },
}: Pick<OperationView, 'status' | 'progress'>): string {
  if (status === 'completed') return '100 %';
  return total === 0 ? '' : `${Math.floor((Math.min(current, total) / total) * 100)} %`;
}

function statusText({ status }: OperationView): Text {
  if (status === 'completed') return style.green(status);
  if (status === 'failed') return style.red(status);
  return status === 'running' || status === 'pending' ? style.cyan(status) : style.yellow(status);
}

/** Shows the value of a field in one line. */
export function fieldText(value: unknown): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return '(empty)';
  if (Array.isArray(value)) return value.map(fieldText).join(', ');
  return typeof value === 'string' ? value : typeof value === 'object' ? seriesName(value) : JSON.stringify(value);
}

function seriesName(value: object): string {
  const { name, sequence } = value as { readonly name: string; readonly sequence: string | null };
  return sequence === null ? name : `${name} #${sequence}`;
}
