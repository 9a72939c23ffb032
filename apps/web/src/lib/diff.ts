export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

const LINES_MAX = 400;

/** Lines in common by the longest common subsequence; too long texts are shown as wholly replaced. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const left = before.split('\n');
  const right = after.split('\n');
  if (left.length > LINES_MAX || right.length > LINES_MAX) {
    return [...left.map((text) => line('removed', text)), ...right.map((text) => line('added', text))];
  }
  const lengths = commonLengths(left, right);
  const lines: DiffLine[] = [];
  let row = 0;
  let column = 0;
  while (row < left.length && column < right.length) {
    if (left[row] === right[column]) {
      lines.push(line('same', left[row]));
      row += 1;
      column += 1;
    } else if ((lengths[row + 1]?.[column] ?? 0) >= (lengths[row]?.[column + 1] ?? 0)) {
      lines.push(line('removed', left[row]));
      row += 1;
    } else {
      lines.push(line('added', right[column]));
      column += 1;
    }
  }
  for (const text of left.slice(row)) lines.push(line('removed', text));
  for (const text of right.slice(column)) lines.push(line('added', text));
  return lines;
}

function line(kind: DiffLine['kind'], text: string = ''): DiffLine {
  return { kind, text };
}

function commonLengths(left: readonly string[], right: readonly string[]): readonly (readonly number[])[] {
  const table = Array.from({ length: left.length + 1 }, () => Array.from({ length: right.length + 1 }, () => 0));
  for (let row = left.length - 1; row >= 0; row -= 1) {
    for (let column = right.length - 1; column >= 0; column -= 1) {
      const value =
        left[row] === right[column]
          ? (table[row + 1]?.[column + 1] ?? 0) + 1
          : Math.max(table[row + 1]?.[column] ?? 0, table[row]?.[column + 1] ?? 0);
      const cells = table[row];
      if (cells !== undefined) cells[column] = value;
    }
  }
  return table;
}
