/** Text for people: lines, tables and labelled values, on either stream. */
import type { OutputStream } from '../host/host.ts';
import { tableLines } from '../text/table.ts';
import type { Column } from '../text/table.ts';
import { escapeControls, plainText, renderText, style } from '../text/text.ts';
import type { Text } from '../text/text.ts';
import { displayWidth } from '../text/width.ts';

export interface Page {
  /** Width of the terminal; 80 without one. */
  readonly columns: number;
  readonly line: (...text: readonly Text[]) => void;
  readonly lines: (lines: readonly Text[]) => void;
  /** Prints one line per row. Renders and frees the rows one by one, which uses less memory than `lines`. */
  readonly list: <Row>(rows: readonly Row[], textOf: (row: Row) => Text) => void;
  /** Prints aligned columns below headings; on a terminal, shortens cells so that rows fit. */
  readonly table: <Row>(rows: readonly Row[], columns: readonly Column<Row>[]) => void;
  /** Prints labels and aligned values. */
  readonly fields: (fields: readonly (readonly [label: string, value: Text])[]) => void;
}

const COLUMNS_WITHOUT_TERMINAL = 80;
const WRITTEN_AT_ONCE = 32_768;

/** Calls `useColour` only when printing, because detecting colour support is slow. `--raw` sets `escapes` to false. */
export function createPage(stream: OutputStream, useColour: () => boolean, escapes = true): Page {
  const writeList = <Row>(rows: readonly Row[], textOf: (row: Row) => Text): void => {
    if (rows.length === 0) return;
    const isColoured = useColour();
    // Without colours, the whole text can be escaped at once, which is faster than piece by piece.
    const options = { useColour: isColoured, escapes: escapes && isColoured };
    // Appending is several times faster than joining an array, which matters from about a thousand lines.
    let text = '';
    const write = (): void => stream.write(escapes && !isColoured ? escapeControls(text) : text);
    for (const row of rows) {
      text += `${renderText(textOf(row), options)}\n`;
      if (text.length < WRITTEN_AT_ONCE) continue;
      write();
      text = '';
    }
    if (text !== '') write();
  };
  const writeLines = (lines: readonly Text[]): void => writeList(lines, (line) => line);
  return {
    get columns() {
      return stream.isTerminal ? stream.columns : COLUMNS_WITHOUT_TERMINAL;
    },
    line: (...text) => writeLines([text]),
    lines: writeLines,
    list: writeList,
    table: (rows, columns) => {
      const columnsMax = stream.isTerminal ? stream.columns : undefined;
      writeLines(tableLines(rows, columns, { columnsMax, escapes }));
    },
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
