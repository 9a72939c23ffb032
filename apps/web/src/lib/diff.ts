import { diffIndices } from 'node-diff3';

export interface Piece {
  readonly text: string;
  readonly isChanged: boolean;
}

export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed' | 'hunk';
  readonly text: string;
}

const LINES_MAX = 400;

/** Returns a unified diff. If the texts are too long to compare, all lines count as replaced. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const left = before.split('\n');
  const right = after.split('\n');
  const isLong = left.length > LINES_MAX || right.length > LINES_MAX;
  const hunks = isLong ? [{ buffer1: [0, left.length], buffer2: [0, right.length] }] : diffIndices(left, right);
  const lines: DiffLine[] = [];
  const push = (kind: DiffLine['kind'], texts: readonly string[]): void => {
    for (const text of texts) lines.push({ kind, text });
  };
  let at = 0;
  for (const { buffer1, buffer2 } of hunks) {
    const [leftAt = 0, leftLength = 0] = buffer1;
    const [rightAt = 0, rightLength = 0] = buffer2;
    push('same', left.slice(at, leftAt));
    push('removed', left.slice(leftAt, leftAt + leftLength));
    push('added', right.slice(rightAt, rightAt + rightLength));
    at = leftAt + leftLength;
  }
  push('same', left.slice(at));
  return lines;
}

const kinds: Readonly<Record<string, DiffLine['kind']>> = { '+': 'added', '-': 'removed', '@': 'hunk' };

export interface PatchFile {
  readonly path: string;
  readonly lines: readonly DiffLine[];
}

export function patchFiles(patch: string): readonly PatchFile[] {
  return patch
    .split(/^diff --git /mu)
    .slice(1)
    .map((text) => ({ path: / b\/(.*)$/mu.exec(text)?.[1] ?? '', lines: patchLines(text) }));
}

export function patchLines(patch: string): readonly DiffLine[] {
  const lines = patch.replace(/\n$/u, '').split('\n');
  const first = lines.findIndex((line) => line.startsWith('@@'));
  if (first < 0) return [];
  return lines.slice(first).map((line) => {
    const kind = kinds[line[0] ?? ''] ?? 'same';
    return { kind, text: kind === 'hunk' ? line : line.slice(1) };
  });
}

export interface Side {
  readonly line: number;
  readonly pieces: readonly Piece[];
}

/** A row of a side-by-side diff. A side is missing if only the other version has this line. */
export interface SideRow {
  readonly isSame: boolean;
  readonly left: Side | undefined;
  readonly right: Side | undefined;
}

export interface SideFold {
  readonly hidden: readonly SideRow[];
}

/** Unchanged lines shown around a change. */
const CONTEXT = 3;
/** Longer lines are not compared word by word. */
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

/** Returns the rows of one file's patch: line numbers of both versions, and the start of each hunk as text. */
export function patchRows(lines: readonly DiffLine[]): readonly (SideRow | string)[] {
  const rows: (SideRow | string)[] = [];
  let [left, right] = [0, 0];
  let removed: string[] = [];
  let added: string[] = [];
  const flush = (): void => {
    for (let at = 0; at < Math.max(removed.length, added.length); at += 1) {
      const [old, fresh] = [removed[at], added[at]];
      const [oldPieces, freshPieces] = piecesOf(old, fresh);
      rows.push({
        isSame: false,
        left: old === undefined ? undefined : { line: (left += 1), pieces: oldPieces },
        right: fresh === undefined ? undefined : { line: (right += 1), pieces: freshPieces },
      });
    }
    [removed, added] = [[], []];
  };
  for (const { kind, text } of lines) {
    if (kind === 'removed') removed.push(text);
    else if (kind === 'added') added.push(text);
    else {
      flush();
      if (kind === 'hunk') {
        const [, from = '1', to = '1'] = /^@@ -(\d+)(?:,\d+)? \+(\d+)/u.exec(text) ?? [];
        [left, right] = [Number(from) - 1, Number(to) - 1];
        rows.push(text);
        // Git reports a missing line feed at the end of a file as a line that starts with a backslash.
      } else if (!text.startsWith(' No newline at end of file')) {
        const pieces = [{ text, isChanged: false }];
        rows.push({ isSame: true, left: { line: (left += 1), pieces }, right: { line: (right += 1), pieces } });
      }
    }
  }
  flush();
  return rows;
}

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

/** Compares two paths and marks the folders and names that only one of them has. */
export function pathDiff(from: string, to: string): { readonly from: readonly Piece[]; readonly to: readonly Piece[] } {
  const [left, right] = marked(from.split(/(?<=\/)/u), to.split(/(?<=\/)/u));
  return { from: left, to: right };
}

/** A trailing line feed does not start another line. */
function linesOf(text: string): readonly string[] {
  if (text === '') return [];
  return text.replace(/\n$/u, '').split('\n');
}

/** Marks the words in which two versions of a line differ. */
function piecesOf(old: string | undefined, fresh: string | undefined): readonly [readonly Piece[], readonly Piece[]] {
  if (old === undefined || fresh === undefined || old.length > LINE_MAX || fresh.length > LINE_MAX) {
    return [whole(old), whole(fresh)];
  }
  const [left, right] = marked(wordsOf(old), wordsOf(fresh));
  return [joined(left), joined(right)];
}

function whole(text: string = ''): readonly Piece[] {
  return [{ text, isChanged: true }];
}

function wordsOf(line: string): readonly string[] {
  return line.match(/[\p{L}\p{N}_]+|\s+|./gu) ?? [];
}

function marked(left: readonly string[], right: readonly string[]): readonly [readonly Piece[], readonly Piece[]] {
  const leftMarks = left.map(() => false);
  const rightMarks = right.map(() => false);
  for (const { buffer1, buffer2 } of diffIndices([...left], [...right])) {
    leftMarks.fill(true, buffer1[0], buffer1[0] + buffer1[1]);
    rightMarks.fill(true, buffer2[0], buffer2[0] + buffer2[1]);
  }
  return [paired(left, leftMarks), paired(right, rightMarks)];
}

function paired(texts: readonly string[], marks: readonly boolean[]): readonly Piece[] {
  return texts.map((text, at) => ({ text, isChanged: marks[at] ?? false }));
}

/** Joins adjacent pieces of the same kind, so that a line needs few elements. */
function joined(pieces: readonly Piece[]): readonly Piece[] {
  const merged: Piece[] = [];
  for (const { text, isChanged } of pieces) {
    const last = merged.at(-1);
    if (last?.isChanged === isChanged) merged[merged.length - 1] = { text: last.text + text, isChanged };
    else merged.push({ text, isChanged });
  }
  return merged;
}
