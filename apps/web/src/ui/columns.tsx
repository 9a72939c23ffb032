import type { ReactNode } from 'react';

import { count } from '../lib/format.ts';
import { Time } from './badge.tsx';
import type { Column } from './table.tsx';

interface Options {
  readonly isOptional?: boolean;
  /** Shown if the value is null. */
  readonly none?: ReactNode;
}

export function timeColumn<Row>(title: string, at: (row: Row) => string | null, options: Options = {}): Column<Row> {
  const { none = 'never', ...rest } = options;
  const show = (time: string | null): ReactNode => (time === null ? none : <Time at={time} />);
  return { title, sortBy: at, cell: (row) => show(at(row)), ...rest };
}

export function numberColumn<Row>(
  title: string,
  value: (row: Row) => number | null,
  format: (value: number) => string = count,
  options: Options = {},
): Column<Row> {
  const { none = '–', ...rest } = options;
  const show = (number: number | null): ReactNode => (number === null ? none : format(number));
  return { title, align: 'right', sortBy: value, cell: (row) => show(value(row)), ...rest };
}
