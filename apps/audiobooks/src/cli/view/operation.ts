import { type Column, type Page, style, type Text } from '@holdfast/cli';
import { type Operation, summaryOf } from '../../model/operation.ts';

const COLUMNS: readonly Column<Operation>[] = [
  { heading: 'ID', value: ({ id }) => id },
  { heading: 'TYPE', value: ({ type }) => type },
  { heading: 'STATUS', value: statusText },
  { heading: 'STARTED', value: ({ created_at: at }) => at.slice(0, 19).replace('T', ' ') },
  { heading: 'PROGRESS', value: progressText, align: 'right' },
  {
    heading: 'UNDO',
    value: ({ undoable, undone_by: undone }) => (undone === null ? (undoable ? 'possible' : '') : 'undone'),
  },
  { heading: 'ERROR', value: ({ error }) => error ?? '', flexible: true },
];

export function printOperations(page: Page, operations: readonly Operation[]): void {
  if (operations.length === 0) page.line('Nothing was done yet.');
  else page.table(operations, COLUMNS);
}

/** What came of an operation, in one line. */
export function printOutcome(page: Page, operation: Operation): void {
  const summary = summaryOf(operation);
  page.line(style.green('✓'), ` ${operation.type} ${operation.id}`, summary === null ? '' : `: ${summary}`);
}

/** Some count files, others milliseconds of sound; and what is done has no part left to tell of. */
export function progressText({ status, progress: { current, total } }: Pick<Operation, 'status' | 'progress'>): string {
  if (status === 'completed') return '100 %';
  return total === 0 ? '' : `${Math.floor((Math.min(current, total) / total) * 100)} %`;
}

function statusText({ status }: Operation): Text {
  if (status === 'completed') return style.green(status);
  if (status === 'failed') return style.red(status);
  return status === 'running' || status === 'pending' ? style.cyan(status) : style.yellow(status);
}
