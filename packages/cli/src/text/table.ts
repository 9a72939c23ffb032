/** Rows as aligned columns, two spaces apart. On a terminal, long cells are shortened until the row fits. */
import { escapeControls, mapText, onOneLine, plainText, style, type Text } from './text.ts';
import { displayWidth, takeColumns } from './width.ts';

export interface Column<Row> {
  readonly heading: string;
  readonly value: (row: Row) => Text;
  readonly align?: 'left' | 'right';
  /** May be shortened on a narrow terminal. If no column is flexible, the widest column is shortened. */
  readonly flexible?: boolean;
}

const GAP = '  ';
const FLEXIBLE_WIDTH_MIN = 8;

interface TableOptions {
  /** Width of the terminal; undefined if there is no terminal. */
  readonly columnsMax?: number | undefined;
  readonly escapes: boolean;
}

/** Returns the lines of a table. */
export function tableLines<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { columnsMax, escapes }: TableOptions,
): readonly Text[] {
  // Escapes before measuring, because escaped text is wider.
  const prepare = (data: string) => (escapes ? escapeControls(onOneLine(data)) : onOneLine(data));
  const headings = columns.map((column) => style.dim(column.heading));
  const lines = [headings, ...rows.map((row) => columns.map((column) => mapText(column.value(row), prepare)))];
  const natural = columns.map((_, index) => widestCell(lines, index));
  const widths = columnsMax === undefined ? natural : fittedWidths(natural, columns, columnsMax);
  return lines.map((line) =>
    line.map((cell, index) => {
      const isLast = index === columns.length - 1;
      return [alignedCell(cell, widths[index] ?? 0, columns[index]?.align ?? 'left', isLast), isLast ? '' : GAP];
    }),
  );
}

function widestCell(lines: readonly (readonly Text[])[], index: number): number {
  return lines.reduce((widest, line) => Math.max(widest, displayWidth(plainText(line[index] ?? ''))), 0);
}

function fittedWidths(
  natural: readonly number[],
  columns: readonly { readonly flexible?: boolean }[],
  columnsMax: number,
): readonly number[] {
  const widths = [...natural];
  const flexible = columns.flatMap((column, index) => (column.flexible === true ? [index] : []));
  const candidates = flexible.length > 0 ? flexible : [natural.indexOf(Math.max(...natural))];
  let excess = widths.reduce((sum, width) => sum + width, GAP.length * (widths.length - 1)) - columnsMax;
  while (excess > 0) {
    const widest = candidates.reduce((best, index) => ((widths[index] ?? 0) > (widths[best] ?? 0) ? index : best));
    const width = widths[widest] ?? 0;
    if (width <= FLEXIBLE_WIDTH_MIN) break;
    widths[widest] = width - 1;
    excess -= 1;
  }
  return widths;
}

function alignedCell(cell: Text, width: number, align: 'left' | 'right', isLast: boolean): Text {
  const shown = displayWidth(plainText(cell)) > width ? shortened(cell, width) : cell;
  const padding = ' '.repeat(Math.max(0, width - displayWidth(plainText(shown))));
  if (align === 'right') return [padding, shown];
  return isLast ? shown : [shown, padding];
}

/** Shortens the whole cell across its styled pieces. */
function shortened(cell: Text, width: number): Text {
  let left = width - 1;
  const kept = mapText(cell, (data) => {
    const piece = takeColumns(data, left);
    // After the cut, drops all following pieces, even short ones that would fit.
    left = piece === data ? left - displayWidth(piece) : 0;
    return piece;
  });
  return [kept, '…'];
}
