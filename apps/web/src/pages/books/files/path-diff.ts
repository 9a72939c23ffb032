export interface PathPart {
  readonly text: string;
  readonly isChanged: boolean;
}

/** Two paths side by side: which folders and names are only in the one or the other. */
export function pathDiff(
  from: string,
  to: string,
): { readonly from: readonly PathPart[]; readonly to: readonly PathPart[] } {
  const [left, right] = [from.split('/'), to.split('/')];
  const same = longestCommon(left, right);
  return { from: marked(left, same.left), to: marked(right, same.right) };
}

function marked(parts: readonly string[], kept: ReadonlySet<number>): readonly PathPart[] {
  return parts.map((text, at) => ({ text: at === parts.length - 1 ? text : `${text}/`, isChanged: !kept.has(at) }));
}

interface Kept {
  readonly left: ReadonlySet<number>;
  readonly right: ReadonlySet<number>;
}

/** Paths have few parts: the plain way is quick enough. */
function longestCommon(left: readonly string[], right: readonly string[]): Kept {
  const lengths = Array.from({ length: left.length + 1 }, () => Array.from({ length: right.length + 1 }, () => 0));
  const at = (row: number, column: number): number => lengths[row]?.[column] ?? 0;
  for (let row = left.length - 1; row >= 0; row -= 1) {
    for (let column = right.length - 1; column >= 0; column -= 1) {
      const line = lengths[row];
      if (line === undefined) continue;
      line[column] =
        left[row] === right[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const kept = { left: new Set<number>(), right: new Set<number>() };
  let [row, column] = [0, 0];
  while (row < left.length && column < right.length) {
    if (left[row] === right[column]) {
      kept.left.add(row);
      kept.right.add(column);
      row += 1;
      column += 1;
    } else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
    else column += 1;
  }
  return kept;
}
