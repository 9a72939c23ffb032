import { Text } from '@codemirror/state';
import { diff3Merge } from 'node-diff3';

/** A text file in the editor. Files that are not text cannot be edited, because saving would damage them. */
export interface TextFile {
  readonly doc: Text;
  readonly lineEnd: '\n' | '\r\n';
}

/**
 * Parses a file so that writing it restores every byte. If all line endings are the same, stores them separately; if
 * not, keeps them in the lines.
 */
export function textFileOf(bytes: ArrayBuffer): TextFile | undefined {
  try {
    return parseText(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

export function parseText(text: string): TextFile | undefined {
  if (text.includes('\0')) return undefined;
  const isWindows = text.includes('\r\n') && !/(?:^|[^\r])\n/u.test(text);
  const lineEnd = isWindows ? '\r\n' : '\n';
  return { doc: Text.of(text.split(lineEnd)), lineEnd };
}

export function writeText({ doc, lineEnd }: TextFile): string {
  return doc.sliceString(0, doc.length, lineEnd);
}

export function sameText(left: Text, right: Text): boolean {
  return left.eq(right);
}

export function mergeTexts(base: Text, mine: Text, theirs: Text): Text | undefined {
  const merged = mergeLines(base.toJSON(), mine.toJSON(), theirs.toJSON());
  return merged === undefined ? undefined : Text.of(merged.length === 0 ? [''] : [...merged]);
}

/** Merges two changes to a text; returns undefined if both change the same words. */
export function mergeLines(
  base: readonly string[],
  mine: readonly string[],
  theirs: readonly string[],
): readonly string[] | undefined {
  const start = commonStart(base, mine, theirs);
  const end = commonEnd(base, mine, theirs, start);
  const middle = ([base, mine, theirs] as const).map((lines) => lines.slice(start, lines.length - end));
  const merged = mergeMiddle(middle[0] ?? [], middle[1] ?? [], middle[2] ?? []);
  return merged === undefined ? undefined : [...mine.slice(0, start), ...merged, ...mine.slice(mine.length - end)];
}

/** Merges line by line. Where both sides changed the same or adjacent lines, merges word by word. */
function mergeMiddle(base: string[], mine: string[], theirs: string[]): string[] | undefined {
  const merged: string[] = [];
  for (const part of diff3Merge(mine, base, theirs, { excludeFalseConflicts: true })) {
    if (part.ok !== undefined) merged.push(...part.ok);
    else if (part.conflict !== undefined) {
      const { a, o, b } = part.conflict;
      const words = mergeWords(a, o, b);
      if (words === undefined) return undefined;
      merged.push(...words);
    }
  }
  return merged;
}

function mergeWords(mine: string[], base: string[], theirs: string[]): string[] | undefined {
  const [a, o, b] = [mine, base, theirs].map(wordsOf);
  const merged: string[] = [];
  for (const part of diff3Merge(a ?? [], o ?? [], b ?? [], { excludeFalseConflicts: true })) {
    if (part.ok === undefined) return undefined;
    merged.push(...part.ok);
  }
  // `wordsOf` ends each line with a line feed, so that zero lines differ from one empty line.
  return merged.length === 0 ? [] : merged.join('').split('\n').slice(0, -1);
}

function wordsOf(lines: readonly string[]): string[] {
  return lines.flatMap((line) => [...(line.match(/[\p{L}\p{N}_]+|\s|[^\s\p{L}\p{N}_]/gu) ?? []), '\n']);
}

type Three = readonly [base: readonly string[], mine: readonly string[], theirs: readonly string[]];

function commonStart(...[base, mine, theirs]: Three): number {
  const most = Math.min(base.length, mine.length, theirs.length);
  let count = 0;
  while (count < most && base[count] === mine[count] && base[count] === theirs[count]) count += 1;
  return count;
}

function commonEnd(...[base, mine, theirs, start]: [...Three, number]): number {
  const most = Math.min(base.length, mine.length, theirs.length) - start;
  let count = 0;
  while (count < most && base.at(-1 - count) === mine.at(-1 - count) && base.at(-1 - count) === theirs.at(-1 - count)) {
    count += 1;
  }
  return count;
}
