/** Text for people: lines, tables and labelled values, on either stream. */
import type { OutputStream } from '../host/host.ts';
import { tableLines } from '../text/table.ts';
import type { Column } from '../text/table.ts';
import { plainText, renderText, style } from '../text/text.ts';
import type { Text } from '../text/text.ts';
import { displayWidth } from '../text/width.ts';

export interface Page {
  /** Width of the terminal; 80 without one. */
  readonly columns: number;
  readonly line: (...text: readonly Text[]) => void;
  readonly lines: (lines: readonly Text[]) => void;
  /** Prints aligned columns below headings; on a terminal, shortens cells so that rows fit. */
  readonly table: <Row>(rows: readonly Row[], columns: readonly Column<Row>[]) => void;
  /** Prints labels and aligned values. */
  readonly fields: (fields: readonly (readonly [label: string, value: Text])[]) => void;
}

const COLUMNS_WITHOUT_TERMINAL = 80;

/** Calls `useColour` only when printing, because detecting colour support takes time. */
export function createPage(stream: OutputStream, useColour: () => boolean): Page {
  const writeLines = (lines: readonly Text[]): void => {
    if (lines.length === 0) return;
    const options = { useColour: useColour(), isTerminal: stream.isTerminal };
    // Appending is several times faster than joining an array, which matters from about a thousand lines.
    let text = '';
    for (const line of lines) text += `${renderText(line, options)}\n`;
    stream.write(text);
  };
  return {
    get columns() {
      return stream.isTerminal ? stream.columns : COLUMNS_WITHOUT_TERMINAL;
    },
    line: (...text) => writeLines([text]),
    lines: writeLines,
    table: (rows, columns) => writeLines(tableLines(rows, columns, stream.isTerminal ? stream.columns : undefined)),
    fields: (fields) => writeLines(fieldLines(fields)),
  };
}

function fieldLines(fields: readonly (readonly [label: string, value: Text])[]): readonly Text[] {
  const labelColumns = fields.reduce((widest, [label]) => Math.max(widest, displayWidth(label)), 0);
  return fields.map(([label, value]) => {
    const padding = ' '.repeat(labelColumns - displayWidth(label) + 2);
    return plainText(value) === '' ? style.dim(label) : [style.dim(label), padding, value];
  });
}
