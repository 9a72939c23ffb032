import { Text } from '@codemirror/state';

import { mergeLines } from './merge-lines.ts';

/** A text file in the editor. Undefined for other files, which editing would damage. */
export interface TextFile {
  readonly doc: Text;
  readonly lineEnd: '\n' | '\r\n';
}

/** Writing restores every byte: uniform line endings are remembered, mixed ones stay in the lines. */
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
