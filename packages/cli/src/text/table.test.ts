import { describe, expect, it } from 'vitest';
import { tableLines } from './table.ts';
import type { Column } from './table.ts';
import { plainText, style } from './text.ts';
import { displayWidth } from './width.ts';

interface Row {
  readonly id: number;
  readonly title: string;
}

const columns: readonly Column<Row>[] = [
  { heading: 'ID', value: (row) => row.id, align: 'right' },
  { heading: 'TITLE', value: (row) => [style.bold(row.title), '!'], flexible: true },
  { heading: 'END', value: () => 'x' },
];

const render = (rows: readonly Row[], columnsMax?: number) =>
  tableLines(rows, columns, { columnsMax, escapes: true }).map(plainText);

describe('tableLines', () => {
  it('aligns columns by what is seen, not by length', () => {
    expect(
      render([
        { id: 1, title: '牛乳' },
        { id: 20, title: 'e\u0301te\u0301' },
      ]),
    ).toEqual(['ID  TITLE  END', ' 1  牛乳!  x', '20  e\u0301te\u0301!   x']);
  });

  it('shortens flexible cells to the width of the terminal, and only there', () => {
    const rows = [{ id: 1, title: 'a title that is rather long' }];
    for (const line of render(rows, 24)) expect(displayWidth(line)).toBeLessThanOrEqual(24);
    expect(render(rows, 24)[1]).toBe(' 1  a title that i…  x');
    expect(render(rows)[1]).toBe(' 1  a title that is rather long!  x');
  });

  it('keeps a cell on one line and measures it as the terminal will show it', () => {
    expect(render([{ id: 1, title: 'two\nlines' }])[1]).toBe(' 1  two lines!  x');
    expect(render([{ id: 1, title: '\u001b[2J' }], 80)).toEqual(['ID  TITLE     END', String.raw` 1  \x1b[2J!  x`]);
  });

  it('prints headings for no rows, and a hundred thousand rows', () => {
    expect(render([])).toEqual(['ID  TITLE  END']);
    expect(render(Array.from({ length: 100_000 }, (_, id) => ({ id, title: '' })))).toHaveLength(100_001);
  });
});
