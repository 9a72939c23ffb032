import type { ReactNode } from 'react';

import { classNames } from '../lib/class-names.ts';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  readonly align?: 'right';
  /** Left out where there is no room for it. */
  readonly isOptional?: boolean;
  /** For columns of buttons, which need no visible title. */
  readonly isTitleHidden?: boolean;
}

interface TableProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
}

/** A small table; long ones are a `VirtualList`. It scrolls by itself where it is too wide. */
export function Table<Row>({ label, rows, columns, keyOf }: TableProps<Row>): ReactNode {
  const cellClass = ({ align, isOptional }: Column<Row>): string =>
    classNames(
      'px-2 py-2.5 first:pl-4 last:pr-4 sm:px-3 sm:first:pl-5 sm:last:pr-5',
      align === 'right' && 'text-right whitespace-nowrap tabular-nums',
      isOptional === true && 'hidden md:table-cell',
    );
  return (
    // What scrolls must be reachable by keyboard
    <div className="relative overflow-x-auto" role="region" aria-label={label} tabIndex={0}>
      <table className="w-full text-left">
        <thead>
          <tr className="border-b border-line text-[13px] text-muted">
            {columns.map((column) => (
              <th key={column.title} scope="col" className={`${cellClass(column)} font-medium whitespace-nowrap`}>
                {column.isTitleHidden === true ? <span className="sr-only">{column.title}</span> : column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} className="border-b border-line last:border-0">
              {columns.map((column) => (
                <td key={column.title} className={cellClass(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
