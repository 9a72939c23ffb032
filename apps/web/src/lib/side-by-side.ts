import { diffIndices } from 'node-diff3';

/** A piece of a line, and whether it is what makes the line different. */
export interface Piece {
  readonly text: string;
  readonly isChanged: boolean;
}

export interface Side {
  readonly line: number;
  readonly pieces: readonly Piece[];
}

/** Two versions beside each other; a side is missing where the other one has more. */
export interface SideRow {
  readonly isSame: boolean;
  readonly left: Side | undefined;
  readonly right: Side | undefined;
}

export interface SideFold {
  readonly hidden: readonly SideRow[];
}

/** How many unchanged lines are shown around a change. */
const CONTEXT = 3;
/** Words are not compared in lines that nobody reads to their end. */
const LINE_MAX = 2_000;

export function sideBySide(before: string, after: string): readonly SideRow[] {
  const left = linesOf(before);
  const right = linesOf(after);
  const rows: SideRow[] = [];
  let at = 0;
  let shift = 0;
  const same = (until: number): void => {
    for (; at < until; at += 1) {
      const pieces = [{ text: left[at] ?? '', isChanged: false }];
      rows.push({ isSame: true, left: { line: at + 1, pieces }, right: { line: at + 1 + shift, pieces } });
    }
  };
  for (const { buffer1, buffer2 } of diffIndices([...left], [...right])) {
    const [leftAt, leftLength] = buffer1;
    const [rightAt, rightLength] = buffer2;
    same(leftAt);
    for (let step = 0; step < Math.max(leftLength, rightLength); step += 1) {
      const old = step < leftLength ? left[leftAt + step] : undefined;
      const fresh = step < rightLength ? right[rightAt + step] : undefined;
      const [oldPieces, freshPieces] = piecesOf(old, fresh);
      rows.push({
        isSame: false,
        left: old === undefined ? undefined : { line: leftAt + step + 1, pieces: oldPieces },
        right: fresh === undefined ? undefined : { line: rightAt + step + 1, pieces: freshPieces },
      });
    }
    at = leftAt + leftLength;
    shift = rightAt + rightLength - at;
  }
  same(left.length);
  return rows;
}

/** Long stretches without a change are folded away. */
export function folded(rows: readonly SideRow[]): readonly (SideRow | SideFold)[] {
  const near = rows.map(() => false);
  rows.forEach(({ isSame }, at) => {
    if (!isSame) near.fill(true, Math.max(0, at - CONTEXT), at + CONTEXT + 1);
  });
  const shown: (SideRow | SideFold)[] = [];
  let hidden: SideRow[] = [];
  const flush = (): void => {
    if (hidden.length > 0) shown.push(hidden.length === 1 && hidden[0] !== undefined ? hidden[0] : { hidden });
    hidden = [];
  };
  rows.forEach((row, at) => {
    if (near[at] === true) {
      flush();
      shown.push(row);
    } else hidden.push(row);
  });
  flush();
  return shown;
}

/** The line feed at the end of a text does not begin another line. */
function linesOf(text: string): readonly string[] {
  if (text === '') return [];
  return text.replace(/\n$/u, '').split('\n');
}

function piecesOf(old: string | undefined, fresh: string | undefined): readonly [readonly Piece[], readonly Piece[]] {
  if (old === undefined || fresh === undefined || old.length > LINE_MAX || fresh.length > LINE_MAX) {
    return [whole(old), whole(fresh)];
  }
  const left = wordsOf(old);
  const right = wordsOf(fresh);
  const leftMarks = left.map(() => false);
  const rightMarks = right.map(() => false);
  for (const { buffer1, buffer2 } of diffIndices([...left], [...right])) {
    leftMarks.fill(true, buffer1[0], buffer1[0] + buffer1[1]);
    rightMarks.fill(true, buffer2[0], buffer2[0] + buffer2[1]);
  }
  return [joinedPieces(left, leftMarks), joinedPieces(right, rightMarks)];
}

function whole(text: string = ''): readonly Piece[] {
  return [{ text, isChanged: true }];
}

function wordsOf(line: string): readonly string[] {
  return line.match(/[\p{L}\p{N}_]+|\s+|./gu) ?? [];
}

function joinedPieces(words: readonly string[], marks: readonly boolean[]): readonly Piece[] {
  const pieces: Piece[] = [];
  words.forEach((text, at) => {
    const isChanged = marks[at] ?? false;
    const last = pieces.at(-1);
    if (last?.isChanged === isChanged) pieces[pieces.length - 1] = { text: last.text + text, isChanged };
    else pieces.push({ text, isChanged });
  });
  return pieces;
}
