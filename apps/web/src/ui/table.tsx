import { createSortedRowModel, rowSortingFeature, tableFeatures, useTable } from '@tanstack/react-table';
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';

import { classNames } from '../lib/class-names.ts';
import { compareValues, type Sortable } from '../lib/compare-values.ts';
import { ScrollRegion } from './page.tsx';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Makes the column sortable by this value. */
  readonly sortBy?: (row: Row) => Sortable;
  readonly align?: 'right';
  /** Hidden on narrow screens. */
  readonly isOptional?: boolean;
  /** Hides the title visually, for columns of buttons. */
  readonly isTitleHidden?: boolean;
}

interface TableProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
}

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() });

type Order = 'asc' | 'desc' | false;

/**
 * A small table; long lists use `VirtualList`. A click on a column title sorts in ascending order, a second click in
 * descending order, and a third click restores the given order.
 */
export function Table<Row extends object>({ label, rows, columns, keyOf }: TableProps<Row>): ReactNode {
  const data = useMemo(() => [...rows], [rows]);
  const definitions = useMemo(() => columns.map(definitionOf), [columns]);
  const table = useTable({ features, data, columns: definitions, enableMultiSort: false });
  return (
    <ScrollRegion label={label} className="relative overflow-x-auto">
      <table className="w-full text-left">
        <thead>
          <tr className="border-b border-line text-[13px] text-muted">
            {columns.map((column) => {
              const sorted = table.getColumn(column.title);
              return (
                <Head
                  key={column.title}
                  column={column}
                  order={sorted?.getIsSorted() ?? false}
                  onSort={() => sorted?.toggleSorting()}
                />
              );
            })}
          </tr>
        </thead>
        <tbody>
          {table.getRowModel().rows.map(({ original }) => (
            <tr key={keyOf(original)} className="border-b border-line last:border-0">
              {columns.map((column) => (
                <td key={column.title} className={cellClass(column)}>
                  {column.cell(original)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

/** Unknown values are last in both sort orders. */
function definitionOf<Row extends object>({ title, sortBy }: Column<Row>) {
  return {
    id: title,
    accessorFn: (row: Row): Sortable | undefined => sortBy?.(row) ?? undefined,
    enableSorting: sortBy !== undefined,
    sortDescFirst: false,
    sortUndefined: 'last',
    sortFn: (left: Valued, right: Valued, id: string): number => compareValues(left.getValue(id), right.getValue(id)),
  } as const;
}

interface Valued {
  getValue<Value>(id: string): Value;
}

interface HeadProps<Row> {
  readonly column: Column<Row>;
  readonly order: Order;
  readonly onSort: () => void;
}

const icons = { asc: ArrowUp, desc: ArrowDown, none: ChevronsUpDown } as const;
const orders = { asc: 'ascending', desc: 'descending' } as const;

function Head<Row>({ column, order, onSort }: HeadProps<Row>): ReactNode {
  const { title, sortBy, align, isTitleHidden } = column;
  const Icon = icons[order === false ? 'none' : order];
  return (
    <th
      scope="col"
      aria-sort={order === false ? undefined : orders[order]}
      className={`${cellClass(column)} font-medium whitespace-nowrap`}
    >
      {isTitleHidden === true ? (
        <span className="sr-only">{title}</span>
      ) : sortBy === undefined ? (
        title
      ) : (
        <button
          type="button"
          title={`Sort by ${title.toLowerCase()}`}
          onClick={onSort}
          className={`-mx-1.5 inline-flex items-center gap-1 rounded-md px-1.5 py-0.5 hover:bg-sunken hover:text-text ${
            align === 'right' ? 'flex-row-reverse' : ''
          }`}
        >
          {title}
          <Icon className={`size-3.5 ${order === false ? 'opacity-50' : 'text-accent'}`} aria-hidden />
        </button>
      )}
    </th>
  );
}

function cellClass<Row>({ align, isOptional }: Column<Row>): string {
  return classNames(
    'px-2 py-2.5 first:pl-4 last:pr-4 sm:px-3 sm:first:pl-5 sm:last:pr-5',
    align === 'right' && 'text-right whitespace-nowrap tabular-nums',
    isOptional === true && 'hidden md:table-cell',
  );
}
